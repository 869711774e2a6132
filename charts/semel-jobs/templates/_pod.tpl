{{- /* What runs: one container, or tasks one after the other: scope; out.isTasks, out.words or out.tasks. */ -}}
{{- define "semel-jobs.run" -}}
{{- $scope := .scope -}}
{{- $job := $scope.job -}}
{{- $tasks := index $job "tasks" -}}
{{- if not (or (hasKey $job "tasks") (not (kindIs "invalid" (index $job "command"))) (not (kindIs "invalid" (index $job "args")))) -}}
  {{- $tasks = index $scope.group "tasks" -}}
{{- end -}}
{{- $words := dict -}}
{{- if not (kindIs "map" $tasks) -}}
  {{- template "semel-jobs.words" (dict "command" (index $scope.picked "command") "args" (index $scope.picked "args") "out" $words) -}}
  {{- if eq (len $words.v) 0 -}}{{- template "semel-jobs.entryPoint" (dict "scope" $scope "who" "the image") -}}{{- end -}}
  {{- $_ := set .out "isTasks" false -}}
  {{- $_ := set .out "words" $words.v -}}
{{- else -}}
  {{- $names := list -}}
  {{- range $name, $task := $tasks -}}{{- if kindIs "map" $task -}}{{- $names = append $names $name -}}{{- end -}}{{- end -}}
  {{- $widths := dict -}}
  {{- range $names -}}
    {{- $prefix := regexFind "^[0-9]+" . -}}
    {{- if $prefix -}}{{- $_ := set $widths (toString (len $prefix)) true -}}{{- end -}}
  {{- end -}}
  {{- if gt (len $widths) 1 -}}
    {{- $text := printf "tasks run in the order %s: their numbers are compared as text" (join ", " $names) -}}
    {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG204" "text" $text "remedy" "give all numbers the same width: 02, 10") -}}
  {{- end -}}
  {{- $made := list -}}
  {{- range $name := $names -}}
    {{- $task := index $tasks $name -}}
    {{- template "semel-jobs.words" (dict "command" (index $task "command") "args" (index $task "args") "out" $words) -}}
    {{- if eq (len $words.v) 0 -}}{{- template "semel-jobs.entryPoint" (dict "scope" $scope "who" (printf "task '%s'" $name)) -}}{{- end -}}
    {{- $made = append $made (dict "name" $name "words" $words.v) -}}
  {{- end -}}
  {{- if has "job-completed" $names -}}
    {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG115" "text" "the task 'job-completed' has the name of the container that closes tasks" "remedy" "rename the task") -}}
  {{- end -}}
  {{- $_ := set .out "isTasks" true -}}
  {{- $_ := set .out "tasks" $made -}}
{{- end -}}
{{- end -}}

{{- define "semel-jobs.entryPoint" -}}
{{- template "semel-jobs.say" (dict "scope" .scope "code" "JG205" "text" (printf "%s has neither command nor args, so the entry point of the image runs" .who) "remedy" "set command or args, or leave it if that is meant") -}}
{{- end -}}

{{- /* command, args; out.v has those that say something. */ -}}
{{- define "semel-jobs.words" -}}
{{- $words := dict -}}
{{- if kindIs "string" .command -}}{{- $_ := set $words "command" (list "sh" "-c" (include "semel-jobs.trim" .command)) -}}
{{- else if .command -}}{{- $_ := set $words "command" .command -}}{{- end -}}
{{- if .args -}}{{- $_ := set $words "args" .args -}}{{- end -}}
{{- $_ := set .out "v" $words -}}
{{- end -}}

{{- /* The pod spec: scope, labels; out.v. */ -}}
{{- define "semel-jobs.pod" -}}
{{- $scope := .scope -}}
{{- $root := $scope.root -}}
{{- $out := dict -}}
{{- $run := dict -}}
{{- template "semel-jobs.run" (dict "scope" $scope "out" $run) -}}
{{- $storage := dict -}}
{{- template "semel-jobs.storage" (dict "scope" $scope "out" $storage) -}}
{{- $shared := dict -}}
{{- template "semel-jobs.image" (dict "scope" $scope "into" $shared) -}}
{{- template "semel-jobs.env" (dict "scope" $scope "out" $out) -}}
{{- $_ := set $shared "env" $out.v -}}
{{- template "semel-jobs.envFrom" (dict "scope" $scope "out" $out) -}}
{{- if $out.v -}}{{- $_ := set $shared "envFrom" $out.v -}}{{- end -}}
{{- if $storage.mounts -}}{{- $_ := set $shared "volumeMounts" $storage.mounts -}}{{- end -}}
{{- range list "resources" "securityContext" -}}
  {{- template "semel-jobs.closest" (dict "scope" $scope "key" . "out" $out) -}}
  {{- template "semel-jobs.put" (dict "into" $shared "key" . "v" $out.v) -}}
{{- end -}}

{{- $pod := dict -}}
{{- if $run.isTasks -}}
  {{- $steps := list -}}
  {{- range $run.tasks -}}
    {{- template "semel-jobs.container" (dict "name" .name "words" .words "shared" $shared "out" $out) -}}
    {{- $steps = append $steps $out.v -}}
  {{- end -}}
  {{- if $steps -}}{{- $_ := set $pod "initContainers" $steps -}}{{- end -}}
  {{- template "semel-jobs.pick" (dict "scope" $scope "key" "completionImage" "root" $root.jobCompletionImage "out" $out) -}}
  {{- $image := ternary "alpine:3.21" $out.v (kindIs "invalid" $out.v) -}}
  {{- $resources := dict "requests" (dict "cpu" "10m" "memory" "16Mi") "limits" (dict "memory" "16Mi") -}}
  {{- $closing := dict "name" "job-completed" "image" $image "imagePullPolicy" "IfNotPresent" "command" (list "sh" "-c" "echo SUCCESS") "resources" $resources -}}
  {{- if hasKey $shared "securityContext" -}}{{- $_ := set $closing "securityContext" $shared.securityContext -}}{{- end -}}
  {{- $_ := set $pod "containers" (list $closing) -}}
{{- else -}}
  {{- template "semel-jobs.container" (dict "name" $scope.jobName "words" $run.words "shared" $shared "out" $out) -}}
  {{- $_ := set $pod "containers" (list $out.v) -}}
{{- end -}}

{{- $secrets := list -}}
{{- range $root.imagePullSecrets -}}{{- $secrets = append $secrets (dict "name" .) -}}{{- end -}}
{{- if $secrets -}}{{- $_ := set $pod "imagePullSecrets" $secrets -}}{{- end -}}
{{- $account := $root.serviceAccount | default dict -}}
{{- template "semel-jobs.pick" (dict "scope" $scope "key" "serviceAccountName" "root" (index $account "name") "out" $out) -}}
{{- $_ := set $pod "serviceAccountName" (ternary "default" $out.v (kindIs "invalid" $out.v)) -}}
{{- template "semel-jobs.pick" (dict "scope" $scope "key" "automountServiceAccountToken" "root" $root.automountServiceAccountToken "out" $out) -}}
{{- $_ := set $pod "automountServiceAccountToken" (eq (toString $out.v) "true") -}}
{{- if kindIs "string" $root.priorityClassName -}}{{- $_ := set $pod "priorityClassName" $root.priorityClassName -}}{{- end -}}
{{- template "semel-jobs.closest" (dict "scope" $scope "key" "podSecurityContext" "out" $out) -}}
{{- template "semel-jobs.put" (dict "into" $pod "key" "securityContext" "v" $out.v) -}}
{{- template "semel-jobs.pick" (dict "scope" $scope "key" "terminationGracePeriodSeconds" "root" $root.terminationGracePeriodSeconds "out" $out) -}}
{{- template "semel-jobs.put" (dict "into" $pod "key" "terminationGracePeriodSeconds" "v" $out.v) -}}
{{- template "semel-jobs.put" (dict "into" $pod "key" "hostAliases" "v" $root.hostAliases) -}}
{{- $_ := set $pod "restartPolicy" (index $scope.picked "restartPolicy" | default "Never") -}}
{{- if $storage.volumes -}}{{- $_ := set $pod "volumes" $storage.volumes -}}{{- end -}}
{{- range list "nodeSelector" "affinity" -}}
  {{- template "semel-jobs.closest" (dict "scope" $scope "key" . "out" $out) -}}
  {{- template "semel-jobs.put" (dict "into" $pod "key" . "v" $out.v) -}}
{{- end -}}
{{- $of := ternary (list $scope.group $scope.job) (list $root) (hasKey $scope.picked "tolerations") -}}
{{- template "semel-jobs.levels" (dict "key" "tolerations" "of" $of "out" $out) -}}
{{- template "semel-jobs.joined" (dict "levels" $out.v "out" $out) -}}
{{- template "semel-jobs.put" (dict "into" $pod "key" "tolerations" "v" $out.v) -}}
{{- template "semel-jobs.pick" (dict "scope" $scope "key" "topologySpreadConstraints" "root" $root.topologySpreadConstraints "out" $out) -}}
{{- $constraints := list -}}
{{- $labels := .labels -}}
{{- range $out.v -}}
  {{- $constraint := . -}}
  {{- if kindIs "invalid" (index . "labelSelector") -}}
    {{- template "semel-jobs.two" (dict "below" . "above" (dict "labelSelector" (dict "matchLabels" $labels)) "out" $out) -}}
    {{- $constraint = $out.v -}}
  {{- end -}}
  {{- $constraints = append $constraints $constraint -}}
{{- end -}}
{{- template "semel-jobs.put" (dict "into" $pod "key" "topologySpreadConstraints" "v" $constraints) -}}
{{- $_ := set .out "v" $pod -}}
{{- end -}}

{{- define "semel-jobs.container" -}}
{{- $container := dict "name" .name -}}
{{- range $key, $value := .shared -}}{{- $_ := set $container $key $value -}}{{- end -}}
{{- range $key, $value := .words -}}{{- $_ := set $container $key $value -}}{{- end -}}
{{- $_ := set .out "v" $container -}}
{{- end -}}

{{- /* Sets image and imagePullPolicy: scope, into. An empty text is a value that is not there. */ -}}
{{- define "semel-jobs.image" -}}
{{- $scope := .scope -}}
{{- $levels := dict -}}
{{- $merged := dict -}}
{{- template "semel-jobs.levels" (dict "key" "image" "of" (list $scope.root $scope.group $scope.job) "out" $levels) -}}
{{- template "semel-jobs.keyed" (dict "levels" $levels.v "out" $merged) -}}
{{- $repository := $merged.v.repository | default "" -}}
{{- $tag := $merged.v.tag | default "" -}}
{{- $digest := $merged.v.digest | default "" -}}
{{- $pull := $merged.v.pullPolicy | default "IfNotPresent" -}}
{{- $image := $repository -}}
{{- if $tag -}}{{- $image = printf "%s:%s" $image $tag -}}{{- end -}}
{{- if $digest -}}{{- $image = printf "%s@%s" $image $digest -}}{{- end -}}
{{- $_ := set .into "image" $image -}}
{{- $_ := set .into "imagePullPolicy" $pull -}}
{{- if or (not $repository) (not (or $tag $digest)) -}}
  {{- $lacks := ternary "neither tag nor digest" "no repository" (ne $repository "") -}}
  {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG110" "text" (printf "the image has %s" $lacks) "remedy" "set image.repository and image.tag or image.digest on the job, the group or the root") -}}
{{- else if $digest -}}
{{- else if eq $scope.tagPolicy "immutable" -}}
  {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG111" "text" (printf "the image %s has a tag and no digest, and --tag-policy is immutable" $image) "remedy" "set image.digest: sha256:..., as the registry shows it") -}}
{{- else if and (eq $tag "latest") (eq $pull "IfNotPresent") -}}
  {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG111" "text" "the tag 'latest' with pullPolicy IfNotPresent runs whatever a node happens to have" "remedy" "set a version or a digest; or pullPolicy: Always") -}}
{{- else if eq $scope.tagPolicy "warn" -}}
  {{- template "semel-jobs.say" (dict "scope" $scope "code" "JG201" "text" (printf "the image %s has no digest: when the tag moves, the name stays and nothing runs" $image) "remedy" "set image.digest, or never move tags and say --tag-policy allow") -}}
{{- end -}}
{{- end -}}
