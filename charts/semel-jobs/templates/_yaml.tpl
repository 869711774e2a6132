{{- /*
YAML of plain data, v, whose lines after the first are indented by `margin`. Not toYaml: it writes
U+2028 and its like as line breaks, and a reader would get another text than the one in the hash.
`order` names the keys that stand first, and below `in` the orders of what is in them; the others
are sorted. `cache` keeps what a text is written as, because there are few different ones.
*/ -}}
{{- define "semel-jobs.yaml" -}}
{{- $cache := ternary .cache dict (hasKey . "cache") -}}
{{- $margin := .margin -}}
{{- $order := .order | default dict -}}
{{- $in := index $order "in" | default dict -}}
{{- if kindIs "map" .v -}}
  {{- $v := .v -}}
  {{- $keys := list -}}
  {{- range index $order "keys" -}}{{- if hasKey $v . -}}{{- $keys = append $keys . -}}{{- end -}}{{- end -}}
  {{- $rest := list -}}
  {{- range $key, $_ := $v -}}{{- if not (has $key $keys) -}}{{- $rest = append $rest $key -}}{{- end -}}{{- end -}}
  {{- range $index, $key := concat $keys $rest -}}
    {{- $value := index $v $key -}}
    {{- if $index -}}{{- "\n" -}}{{- $margin -}}{{- end -}}
    {{- if not (hasKey $cache $key) -}}{{- $_ := set $cache $key (include "semel-jobs.scalar" $key) -}}{{- end -}}
    {{- index $cache $key -}}:
    {{- if and (kindIs "map" $value) (gt (len ($value | default dict)) 0) -}}
      {{- $inner := printf "%s  " $margin -}}
      {{- "\n" -}}{{- $inner -}}
      {{- template "semel-jobs.yaml" (dict "v" $value "margin" $inner "order" (index $in $key) "cache" $cache) -}}
    {{- else if and (kindIs "slice" $value) (gt (len ($value | default list)) 0) -}}
      {{- "\n" -}}{{- $margin -}}
      {{- template "semel-jobs.yaml" (dict "v" $value "margin" $margin "order" (index $in $key) "cache" $cache) -}}
    {{- else -}}
      {{- " " -}}
      {{- template "semel-jobs.yaml" (dict "v" $value "margin" (printf "%s  " $margin) "cache" $cache) -}}
    {{- end -}}
  {{- else -}}{}{{- end -}}
{{- else if kindIs "slice" .v -}}
  {{- $inner := printf "%s  " $margin -}}
  {{- range $index, $item := .v -}}
    {{- if $index -}}{{- "\n" -}}{{- $margin -}}{{- end -}}
    {{- "- " -}}
    {{- template "semel-jobs.yaml" (dict "v" $item "margin" $inner "order" $order "cache" $cache) -}}
  {{- else -}}[]{{- end -}}
{{- else if kindIs "string" .v -}}
  {{- if and (contains "\n" .v) (regexMatch "[^\\n]\\n" .v) (not (regexMatch "^\\s|[ \\t]$|[ \\t]\\n|\\n\\n$|[^\\n\\t\\x20-\\x7e]" .v)) -}}
    {{- ternary "|" "|-" (hasSuffix "\n" .v) -}}
    {{- range trimSuffix "\n" .v | splitList "\n" -}}
      {{- if . -}}{{- printf "\n%s%s" $margin . -}}{{- else -}}{{- "\n" -}}{{- end -}}
    {{- end -}}
  {{- else -}}
    {{- if not (hasKey $cache .v) -}}{{- $_ := set $cache .v (include "semel-jobs.scalar" .v) -}}{{- end -}}
    {{- index $cache .v -}}
  {{- end -}}
{{- else -}}{{- toRawJson .v -}}{{- end -}}
{{- end -}}

{{- /* Text without quotes where all readers take it for itself, else as JSON that every reader of YAML takes. */ -}}
{{- define "semel-jobs.scalar" -}}
{{- $isPlain := and (regexMatch "^(\\./|[A-Za-z/])[A-Za-z0-9_ ./@+=,:$-]*$" .) (not (regexMatch "(?i): |:$| $|^(y|n|yes|no|on|off|true|false|null)$" .)) -}}
{{- if $isPlain -}}{{- . -}}
{{- else -}}
  {{- $text := toRawJson . -}}
  {{- if regexMatch "[\\x{7f}-\\x{9f}\\x{feff}\\x{fffe}\\x{ffff}]" $text -}}
    {{- range concat (untilStep 127 160 1) (list 65279 65534 65535) -}}
      {{- $text = replace (printf "%c" (int .)) (printf "\\u%04x" (int .)) $text -}}
    {{- end -}}
  {{- end -}}
  {{- $text -}}
{{- end -}}
{{- end -}}

{{- /* The order in which people look for the keys of a Job. */ -}}
{{- define "semel-jobs.order" -}}
{{- $container := dict "keys" (list "name" "image" "imagePullPolicy" "command" "args" "env" "envFrom" "resources" "securityContext" "volumeMounts") "in" (dict "env" (dict "keys" (list "name" "value")) "volumeMounts" (dict "keys" (list "name" "mountPath"))) -}}
{{- $pod := dict "keys" (list "imagePullSecrets" "serviceAccountName" "automountServiceAccountToken" "priorityClassName" "securityContext" "terminationGracePeriodSeconds" "hostAliases" "restartPolicy" "initContainers" "containers" "volumes" "nodeSelector" "affinity" "tolerations" "topologySpreadConstraints") "in" (dict "initContainers" $container "containers" $container "volumes" (dict "keys" (list "name"))) -}}
{{- $job := dict "keys" (list "backoffLimit" "ttlSecondsAfterFinished" "activeDeadlineSeconds" "completions" "parallelism" "suspend" "podFailurePolicy" "podReplacementPolicy" "completionMode" "backoffLimitPerIndex" "successPolicy" "template") "in" (dict "template" (dict "keys" (list "metadata" "spec") "in" (dict "spec" $pod))) -}}
{{- $cron := dict "keys" (concat (list "schedule" "timeZone" "concurrencyPolicy" "successfulJobsHistoryLimit" "failedJobsHistoryLimit" "startingDeadlineSeconds") $job.keys) "in" (dict "jobTemplate" (dict "in" (dict "spec" $job)) "template" $job.in.template) -}}
{{- dict "keys" (list "apiVersion" "kind" "metadata" "spec") "in" (dict "metadata" (dict "keys" (list "name" "namespace" "labels" "annotations")) "spec" $cron) | toJson -}}
{{- end -}}
