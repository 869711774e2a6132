{{- /* On one level only one of the two may stand: level; out.text is empty when all is well. */ -}}
{{- define "semel-jobs.bothModes" -}}
{{- $level := .level -}}
{{- $others := list -}}
{{- range list "command" "args" -}}{{- if not (kindIs "invalid" (index $level .)) -}}{{- $others = append $others . -}}{{- end -}}{{- end -}}
{{- $is := and (not (kindIs "invalid" (index $level "tasks"))) (gt (len $others) 0) -}}
{{- $_ := set .out "text" (ternary (printf "tasks and %s stand together" (join " and " $others)) "" $is) -}}
{{- $_ := set .out "remedy" "remove one or the other here: each task has a command and args of its own" -}}
{{- end -}}

{{- define "semel-jobs.cronKeys" -}}
{{- list "schedule" "timeZone" "concurrencyPolicy" "startingDeadlineSeconds" "successfulJobsHistoryLimit" "failedJobsHistoryLimit" | toJson -}}
{{- end -}}

{{- /* What must not be rendered although every value by itself is right: scope, annotations, hash. */ -}}
{{- define "semel-jobs.guard" -}}
{{- $scope := .scope -}}
{{- $picked := $scope.picked -}}
{{- $out := dict -}}
{{- template "semel-jobs.bothModes" (dict "level" $scope.job "out" $out) -}}
{{- if $out.text -}}{{- template "semel-jobs.say" (dict "scope" $scope "code" "JG101" "text" $out.text "remedy" $out.remedy) -}}{{- end -}}
{{- if eq $scope.kind "CronJob" -}}{{- template "semel-jobs.guardCronJob" (dict "scope" $scope) -}}
{{- else -}}
  {{- range include "semel-jobs.cronKeys" nil | fromJsonArray -}}
    {{- if not (kindIs "invalid" (index $scope.job .)) -}}
      {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG113" "text" (printf "%s is a field of CronJobs, and kind is Job" .) "remedy" "remove it, or set kind: CronJob on the group") -}}
    {{- end -}}
  {{- end -}}
{{- end -}}

{{- $isIndexed := eq (toString (index $picked "completionMode")) "Indexed" -}}
{{- range list "backoffLimitPerIndex" "successPolicy" -}}
  {{- if not (or $isIndexed (kindIs "invalid" (index $picked .))) -}}
    {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG112" "text" (printf "%s needs completionMode: Indexed" .) "remedy" (printf "set completionMode: Indexed and completions, or remove %s" .)) -}}
  {{- end -}}
{{- end -}}
{{- if and $isIndexed (kindIs "invalid" (index $picked "completions")) -}}
  {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG112" "text" "completionMode Indexed needs completions" "remedy" "set completions to the number of indexes") -}}
{{- end -}}
{{- if and (eq (toString (index $picked "restartPolicy")) "OnFailure") (not (kindIs "invalid" (index $picked "podFailurePolicy"))) -}}
  {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG112" "text" "podFailurePolicy needs restartPolicy: Never" "remedy" "set restartPolicy: Never, or remove podFailurePolicy") -}}
{{- end -}}

{{- $argo := dict -}}
{{- template "semel-jobs.argoPolicies" (dict "annotations" .annotations "out" $argo) -}}
{{- $helm := include "semel-jobs.trim" (toString (index .annotations "helm.sh/hook" | default "")) -}}
{{- if .hash -}}
  {{- if $helm -}}
    {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG108" "text" (printf "hashSuffix is on, but Helm runs hook Jobs on every '%s' whatever their name is" $helm) "remedy" "remove the Helm hook, so that the name decides; or set hashSuffix: false") -}}
  {{- else if or $argo.replaces $argo.deletesOnSuccess -}}
    {{- $origin := ternary " (the default of Argo CD)" "" $argo.isDefault -}}
    {{- $text := printf "hashSuffix is on, but Argo CD delete policy '%s'%s removes or replaces the Job on every sync, so it would run on every sync" $argo.written $origin -}}
    {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG108" "text" $text "remedy" "use deletePolicy: HookFailed, or no hook; to run at every sync on purpose: hashSuffix: false with BeforeHookCreation") -}}
  {{- end -}}
  {{- $seconds := index $picked "ttlSecondsAfterFinished" -}}
  {{- if and (eq $scope.kind "Job") (not (kindIs "invalid" $seconds)) (not (has $scope.engine (list "argocd" "helm" "none"))) -}}
    {{- $who := ternary "an engine that restores missing objects" $scope.engine (eq $scope.engine "any") -}}
    {{- $text := printf "hashSuffix is on and the Job is deleted %d s after it finishes, so %s would create and run it again" $seconds $who -}}
    {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG109" "text" $text "remedy" "remove ttlSecondsAfterFinished: a finished Job runs nothing; or say --engine argocd, helm or none where that applies it") -}}
  {{- end -}}
{{- else if and (eq $scope.kind "Job") (not (or $helm $argo.replaces)) -}}
  {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG120" "text" "hashSuffix is off and nothing replaces the Job, so the API server refuses every change of it" "remedy" "remove hashSuffix: false; or make it a hook: Argo CD with deletePolicy BeforeHookCreation, or Helm") -}}
{{- end -}}
{{- end -}}

{{- define "semel-jobs.guardCronJob" -}}
{{- $scope := .scope -}}
{{- $schedule := index $scope.picked "schedule" -}}
{{- if kindIs "invalid" $schedule -}}
  {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG106" "text" "schedule is required when kind is CronJob" "remedy" "set schedule: \"0 3 * * *\" on the job or the group") -}}
{{- else -}}
  {{- $fault := dict "v" "it holds a time zone" -}}
  {{- $hasZone := contains "TZ=" $schedule -}}
  {{- if not $hasZone -}}{{- template "semel-jobs.cron" (dict "text" $schedule "out" $fault) -}}{{- end -}}
  {{- if $fault.v -}}
    {{- $remedy := ternary "set timeZone instead" "write five fields, such as \"30 3 * * 1-5\"" $hasZone -}}
    {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG104" "text" (printf "Kubernetes refuses the schedule '%s': %s" $schedule $fault.v) "remedy" $remedy) -}}
  {{- end -}}
{{- end -}}
{{- $zone := index $scope.picked "timeZone" -}}
{{- if kindIs "string" $zone -}}
  {{- if not (has $zone (include "semel-jobs.zones" nil | replace "\n" " " | splitList " ")) -}}
    {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG104" "text" (printf "timeZone '%s' is no time zone that Kubernetes knows" $zone) "remedy" "write a name such as Europe/Berlin or Etc/UTC, with its capitals") -}}
  {{- end -}}
{{- end -}}
{{- $hooks := 0 -}}
{{- range list "argocd" "helm" -}}
  {{- $hook := dict -}}
  {{- template "semel-jobs.hook" (dict "scope" $scope "tool" . "out" $hook) -}}
  {{- $hooks = add $hooks (len $hook.v) -}}
{{- end -}}
{{- if gt $hooks 0 -}}
  {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG107" "text" "hooks cannot be set when kind is CronJob" "remedy" "remove the hooks, or make it a group of kind Job") -}}
{{- end -}}
{{- end -}}
