{{- /* What is said of a tool's hook on group and job: scope, tool; out.v. */ -}}
{{- define "semel-jobs.hook" -}}
{{- $tool := .tool -}}
{{- $levels := list -}}
{{- range list .scope.group .scope.job -}}
  {{- if hasKey . "hooks" -}}
    {{- if kindIs "invalid" .hooks -}}{{- $levels = append $levels nil -}}
    {{- else if hasKey .hooks $tool -}}{{- $levels = append $levels (index .hooks $tool) -}}{{- end -}}
  {{- end -}}
{{- end -}}
{{- template "semel-jobs.keyed" (dict "levels" $levels "out" .out) -}}
{{- end -}}

{{- /* Annotations of the object, but for the intent; later ones win, null takes away: scope; out.v. */ -}}
{{- define "semel-jobs.annotations" -}}
{{- $scope := .scope -}}
{{- $hooks := dict -}}
{{- if eq $scope.kind "Job" -}}
  {{- $out := dict -}}
  {{- template "semel-jobs.hook" (dict "scope" $scope "tool" "argocd" "out" $out) -}}
  {{- $argo := $out.v -}}
  {{- template "semel-jobs.hook" (dict "scope" $scope "tool" "helm" "out" $out) -}}
  {{- $helm := $out.v -}}
  {{- if and (hasKey $argo "hook") (not (hasKey $argo "deletePolicy")) -}}{{- $_ := set $argo "deletePolicy" "HookFailed" -}}{{- end -}}
  {{- range list (list $argo "hook" "argocd.argoproj.io/hook") (list $argo "syncWave" "argocd.argoproj.io/sync-wave") (list $argo "deletePolicy" "argocd.argoproj.io/hook-delete-policy") (list $helm "hook" "helm.sh/hook") (list $helm "weight" "helm.sh/hook-weight") (list $helm "deletePolicy" "helm.sh/hook-delete-policy") -}}
    {{- $from := index . 0 -}}
    {{- $key := index . 1 -}}
    {{- if hasKey $from $key -}}
      {{- $value := index $from $key -}}
      {{- if kindIs "slice" $value -}}{{- $value = join "," $value -}}{{- end -}}
      {{- $_ := set $hooks (index . 2) (toString $value) -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- $levels := list -}}
{{- if hasKey $scope.root "commonAnnotations" -}}{{- $levels = append $levels $scope.root.commonAnnotations -}}{{- end -}}
{{- $levels = append $levels $hooks -}}
{{- $own := dict -}}
{{- template "semel-jobs.levels" (dict "key" "metadataAnnotations" "of" (list $scope.group $scope.job) "out" $own) -}}
{{- template "semel-jobs.keyed" (dict "levels" (concat $levels $own.v) "out" .out) -}}
{{- $_ := unset .out.v "semel.dev/intent" -}}
{{- end -}}

{{- /* The words of a comma list, as JSON. */ -}}
{{- define "semel-jobs.hookWords" -}}
{{- $words := list -}}
{{- if kindIs "string" . -}}
  {{- range splitList "," . -}}
    {{- $word := include "semel-jobs.trim" . -}}
    {{- if $word -}}{{- $words = append $words $word -}}{{- end -}}
  {{- end -}}
{{- end -}}
{{- toRawJson $words -}}
{{- end -}}

{{- /*
What Argo CD will do with the object at a sync, from the final annotations. It also reads Helm's
policies, leaves out words that it does not know, and without any word replaces hooks. A word that
does harm counts in any spelling, one that does none only as Argo CD spells it: annotations, out.
*/ -}}
{{- define "semel-jobs.argoPolicies" -}}
{{- $argo := include "semel-jobs.hookWords" (index .annotations "argocd.argoproj.io/hook-delete-policy") | fromJsonArray -}}
{{- $helm := include "semel-jobs.hookWords" (index .annotations "helm.sh/hook-delete-policy") | fromJsonArray -}}
{{- $isHook := false -}}
{{- range list "argocd.argoproj.io/hook" "helm.sh/hook" -}}
  {{- if ne (include "semel-jobs.hookWords" (index $.annotations .)) "[]" -}}{{- $isHook = true -}}{{- end -}}
{{- end -}}
{{- $isKnown := false -}}
{{- range $argo -}}{{- if has . (list "HookSucceeded" "HookFailed" "BeforeHookCreation" "Never") -}}{{- $isKnown = true -}}{{- end -}}{{- end -}}
{{- range $helm -}}{{- if has . (list "hook-succeeded" "hook-failed" "before-hook-creation") -}}{{- $isKnown = true -}}{{- end -}}{{- end -}}
{{- $bad := list -}}
{{- $plain := list -}}
{{- range concat $argo $helm -}}
  {{- $word := regexReplaceAll "[-_]" (lower .) "" -}}
  {{- if has $word (list "hooksucceeded" "beforehookcreation") -}}{{- $bad = append $bad . -}}{{- $plain = append $plain $word -}}{{- end -}}
{{- end -}}
{{- $isDefault := and $isHook (not $isKnown) -}}
{{- $_ := set .out "written" (ternary (join "," $bad) "BeforeHookCreation" (gt (len $bad) 0)) -}}
{{- $_ := set .out "replaces" (or $isDefault (has "beforehookcreation" $plain)) -}}
{{- $_ := set .out "deletesOnSuccess" (has "hooksucceeded" $plain) -}}
{{- $_ := set .out "isDefault" (and $isDefault (eq (len $bad) 0)) -}}
{{- end -}}
