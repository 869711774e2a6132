{{- /*
A scope is one job with the group and the root that it takes from: root, group, job, groupName,
jobName, kind, path, picked (the job's value, else the group's, null where it is taken away),
inherit, refused (keys of which the check has refused something), full, release, engine, tagPolicy.
*/ -}}

{{- /* Notes a problem of the job, unless a key that it judges was refused already: scope, code, text, remedy. */ -}}
{{- define "semel-jobs.say" -}}
{{- $refused := .scope.refused -}}
{{- $silent := false -}}
{{- range index .scope.judges .code -}}{{- if hasKey $refused . -}}{{- $silent = true -}}{{- end -}}{{- end -}}
{{- if not $silent -}}
  {{- template "semel-jobs.note" (dict "ctx" .scope.ctx "code" .code "path" .scope.path "text" .text "remedy" .remedy) -}}
{{- end -}}
{{- end -}}

{{- /* The value of the job, else of the group, else `root`; nothing where it is taken away: scope, key, root; out.v. */ -}}
{{- define "semel-jobs.pick" -}}
{{- $_ := set .out "v" (ternary (index .scope.picked .key) .root (hasKey .scope.picked .key)) -}}
{{- end -}}

{{- /* With neither on group nor job the root value as a whole, else their deep merge: scope, key; out.v. */ -}}
{{- define "semel-jobs.closest" -}}
{{- if hasKey .scope.picked .key -}}
  {{- $levels := dict -}}
  {{- template "semel-jobs.levels" (dict "key" .key "of" (list .scope.group .scope.job) "out" $levels) -}}
  {{- template "semel-jobs.deep" (dict "levels" $levels.v "out" .out) -}}
{{- else -}}{{- $_ := set .out "v" (index .scope.root .key) -}}{{- end -}}
{{- end -}}

{{- define "semel-jobs.judges" -}}
{{- $policy := list "kind" "hashSuffix" "hooks" "metadataAnnotations" "commonAnnotations" -}}
{{- $image := list "image" -}}
{{- $run := list "command" "args" "tasks" -}}
{{- dict
  "JG101" $run
  "JG106" (list "kind" "schedule")
  "JG107" (list "kind" "hooks")
  "JG108" $policy
  "JG109" (list "kind" "hashSuffix" "ttlSecondsAfterFinished")
  "JG110" $image
  "JG111" $image
  "JG112" (list "backoffLimitPerIndex" "completionMode" "completions" "podFailurePolicy" "restartPolicy" "successPolicy")
  "JG113" (list "kind")
  "JG118" (list "env" "global")
  "JG119" (list "volumes" "volumeMounts" "useRootVolumes" "inherit" "configMaps")
  "JG120" $policy
  "JG201" $image
  "JG202" (list "hashIncludePodAnnotations" "podAnnotations" "jobPodAnnotations")
  "JG203" (list "env" "envSecrets" "envConfigMaps" "configMaps" "inherit")
  "JG205" $run
  | toJson -}}
{{- end -}}
