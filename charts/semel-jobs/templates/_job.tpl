{{- /* One Job or CronJob, and what is wrong in it: scope; out.name, out.object, out.limit. */ -}}
{{- define "semel-jobs.job" -}}
{{- $scope := .scope -}}
{{- $root := $scope.root -}}
{{- $picked := $scope.picked -}}
{{- $full := $scope.full -}}
{{- $short := printf "%s-%s" (regexReplaceAll "-+$" (trunc 8 $scope.groupName) "") $scope.jobName -}}
{{- $base := printf "%s-%s" $full $short -}}
{{- $podLabels := dict "app.kubernetes.io/name" (include "semel-jobs.cut" (dict "text" $short "limit" 63)) "app.kubernetes.io/instance" (include "semel-jobs.cut" (dict "text" $base "limit" 63)) -}}
{{- $out := dict -}}
{{- template "semel-jobs.pod" (dict "scope" $scope "labels" $podLabels "out" $out) -}}
{{- $pod := $out.v -}}

{{- $levels := list -}}
{{- range list "podAnnotations" "jobPodAnnotations" -}}{{- if hasKey $root . -}}{{- $levels = append $levels (index $root .) -}}{{- end -}}{{- end -}}
{{- template "semel-jobs.levels" (dict "key" "podAnnotations" "of" (list $scope.group $scope.job) "out" $out) -}}
{{- template "semel-jobs.keyed" (dict "levels" (concat $levels $out.v) "out" $out) -}}
{{- $podAnnotations := $out.v -}}
{{- $metadata := dict "labels" $podLabels -}}
{{- if $podAnnotations -}}{{- $_ := set $metadata "annotations" $podAnnotations -}}{{- end -}}

{{- $jobSpec := dict "template" (dict "metadata" $metadata "spec" $pod) -}}
{{- $limit := index $picked "backoffLimit" -}}
{{- $_ := set $jobSpec "backoffLimit" (ternary 3 $limit (kindIs "invalid" $limit)) -}}
{{- $keys := list "ttlSecondsAfterFinished" "activeDeadlineSeconds" "completions" "parallelism" "podFailurePolicy" "podReplacementPolicy" "completionMode" "backoffLimitPerIndex" "successPolicy" -}}
{{- if eq $scope.kind "Job" -}}{{- $keys = append $keys "suspend" -}}{{- end -}}
{{- range $keys -}}{{- template "semel-jobs.put" (dict "into" $jobSpec "key" . "v" (index $picked .)) -}}{{- end -}}
{{- $spec := $jobSpec -}}
{{- if eq $scope.kind "CronJob" -}}
  {{- $spec = dict "jobTemplate" (dict "spec" $jobSpec) -}}
  {{- range append (include "semel-jobs.cronKeys" nil | fromJsonArray) "suspend" -}}
    {{- if not (kindIs "invalid" (index $picked .)) -}}{{- $_ := set $spec . (index $picked .) -}}{{- end -}}
  {{- end -}}
{{- end -}}

{{- $hash := index $picked "hashSuffix" -}}
{{- if kindIs "invalid" $hash -}}{{- $hash = eq $scope.kind "Job" -}}{{- end -}}
{{- $counts := ne (toString (index $picked "hashIncludePodAnnotations")) "false" -}}
{{- if and (not $counts) (eq $scope.kind "Job") $podAnnotations -}}
  {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG202" "text" "pod annotations are rendered and not part of the hash, so the API server refuses to change them later" "remedy" "remove hashIncludePodAnnotations: false, or the pod annotations") -}}
{{- end -}}
{{- $reads := dict -}}
{{- template "semel-jobs.reads" (dict "pod" $pod "configMaps" $root.configMaps "full" $full "out" $reads) -}}
{{- if $reads.external -}}
  {{- $isOne := eq (len $reads.external) 1 -}}
  {{- $text := printf "%s %s not rendered with these values, so %s content is no part of the hash" (join ", " $reads.external) (ternary "is" "are" $isOne) (ternary "its" "their" $isOne) -}}
  {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG203" "text" $text "remedy" "leave it if a change of it needs no new run; else give it a new name then, or move a ConfigMap into configMaps") -}}
{{- end -}}
{{- template "semel-jobs.annotations" (dict "scope" $scope "out" $out) -}}
{{- $annotations := $out.v -}}
{{- template "semel-jobs.guard" (dict "scope" $scope "annotations" $annotations "hash" $hash) -}}

{{- $intentSpec := dict -}}
{{- range list "completions" "completionMode" "podFailurePolicy" "backoffLimitPerIndex" "successPolicy" -}}
  {{- if hasKey $jobSpec . -}}{{- $_ := set $intentSpec . (index $jobSpec .) -}}{{- end -}}
{{- end -}}
{{- $template := dict "spec" $pod -}}
{{- if and $counts $podAnnotations -}}{{- $_ := set $template "annotations" $podAnnotations -}}{{- end -}}
{{- $intent := dict "kind" $scope.kind "spec" $intentSpec "template" $template -}}
{{- if $reads.config -}}{{- $_ := set $intent "config" $reads.config -}}{{- end -}}
{{- $digest := sha256sum (printf "semel.intent/v1\n%s" (include "semel-jobs.canonical" $intent)) -}}
{{- $_ := set $annotations "semel.dev/intent" $digest -}}

{{- $limit := include "semel-jobs.limit" (dict "kind" $scope.kind "spec" $jobSpec) | int -}}
{{- $name := "" -}}
{{- if not (kindIs "invalid" (index $scope.job "adoptName")) -}}{{- $name = $scope.job.adoptName -}}
{{- else if $hash -}}
  {{- $name = printf "%s-%s" (include "semel-jobs.cut" (dict "text" $base "limit" (sub $limit 9))) (substr 0 8 $digest) -}}
{{- else -}}{{- $name = include "semel-jobs.cut" (dict "text" $base "limit" $limit) -}}{{- end -}}
{{- template "semel-jobs.labels" (dict "values" $root "own" $podLabels "full" $full "release" $scope.release "out" $out) -}}
{{- $objectMeta := dict "name" $name "namespace" $scope.release.namespace "labels" $out.v "annotations" $annotations -}}
{{- $_ := set .out "name" $name -}}
{{- $_ := set .out "limit" $limit -}}
{{- $_ := set .out "object" (dict "apiVersion" "batch/v1" "kind" $scope.kind "metadata" $objectMeta "spec" $spec) -}}
{{- end -}}
