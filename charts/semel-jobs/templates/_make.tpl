{{- /*
Jobs and CronJobs from values, each named after what it does: the same objects, names and problems
as `semel render` gives. In: values, release (name, namespace, chart, appVersion), engine,
tagPolicy, configMaps, sharedValues. Out: out.objects (ConfigMaps first), out.problems, sorted, and
out.errors, how many of them stop rendering.
*/ -}}
{{- define "semel-jobs.make" -}}
{{- $given := . -}}
{{- $release := .release -}}
{{- $schema := include "semel-jobs.schema" nil | fromJson -}}
{{- $ctx := dict "problems" list "sharedValues" .sharedValues "rootNames" $schema.names -}}
{{- $plain := toJson .values | fromJson -}}
{{- $kept := dict -}}
{{- range $key, $value := $plain -}}
  {{- if kindIs "invalid" $value -}}
  {{- else if hasKey $schema.removed $key -}}
    {{- template "semel-jobs.note" (dict "ctx" $ctx "code" "JG100" "path" (list $key) "text" (printf "'%s' was removed" $key) "remedy" (printf "write it as %s, below jobGroups" (index $schema.removed $key))) -}}
  {{- else -}}{{- $_ := set $kept $key $value -}}{{- end -}}
{{- end -}}
{{- $checked := dict -}}
{{- template "semel-jobs.check" (dict "v" $kept "path" list "shape" $schema "ctx" $ctx "out" $checked) -}}
{{- $root := $checked.v -}}
{{- $found := $ctx.problems -}}
{{- $full := include "semel-jobs.fullName" (dict "values" $root "release" $release) -}}
{{- template "semel-jobs.judgeRelease" (dict "ctx" $ctx "found" $found "root" $root "full" $full "release" $release) -}}
{{- $judges := include "semel-jobs.judges" nil | fromJson -}}

{{- $made := list -}}
{{- range $groupName, $group := $root.jobGroups -}}
  {{- if kindIs "map" $group -}}
    {{- if ne (toString (index $group "enabled")) "false" -}}
      {{- template "semel-jobs.judgeGroup" (dict "ctx" $ctx "found" $found "group" $group "groupName" $groupName) -}}
      {{- range $jobName, $job := $group.jobs -}}
        {{- if kindIs "map" $job -}}
          {{- if ne (toString (index $job "enabled")) "false" -}}
            {{- $out := dict -}}
            {{- $picked := dict -}}
            {{- range $key, $value := $group -}}{{- $_ := set $picked $key $value -}}{{- end -}}
            {{- range $key, $value := $job -}}{{- $_ := set $picked $key $value -}}{{- end -}}
            {{- template "semel-jobs.levels" (dict "key" "inherit" "of" (list $group $job) "out" $out) -}}
            {{- template "semel-jobs.deep" (dict "levels" $out.v "out" $out) -}}
            {{- $scope := dict "root" $root "group" $group "job" $job "groupName" $groupName "jobName" $jobName "picked" $picked "inherit" ($out.v | default dict) "ctx" $ctx "judges" $judges "full" $full "release" $release "engine" $given.engine "tagPolicy" $given.tagPolicy -}}
            {{- $_ := set $scope "kind" (ternary "CronJob" "Job" (eq (toString (index $group "kind")) "CronJob")) -}}
            {{- $_ := set $scope "path" (list "jobGroups" $groupName "jobs" $jobName) -}}
            {{- template "semel-jobs.refused" (dict "found" $found "scope" $scope) -}}
            {{- $one := dict "scope" $scope -}}
            {{- template "semel-jobs.job" (dict "scope" $scope "out" $one) -}}
            {{- $made = append $made $one -}}
          {{- end -}}
        {{- end -}}
      {{- end -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- template "semel-jobs.judgeNames" (dict "ctx" $ctx "made" $made) -}}

{{- $errors := 0 -}}
{{- range $ctx.problems -}}{{- if not (hasPrefix "JG2" .code) -}}{{- $errors = add1 $errors -}}{{- end -}}{{- end -}}
{{- $sorted := dict -}}
{{- template "semel-jobs.sorted" (dict "problems" $ctx.problems "out" $sorted) -}}
{{- $objects := list -}}
{{- if eq (int $errors) 0 -}}
  {{- if .configMaps -}}{{- template "semel-jobs.configMaps" (dict "root" $root "full" $full "release" $release "out" $sorted) -}}{{- $objects = $sorted.v -}}{{- end -}}
  {{- range $made -}}{{- $objects = append $objects .object -}}{{- end -}}
{{- end -}}
{{- $_ := set .out "objects" $objects -}}
{{- $_ := set .out "problems" $sorted.list -}}
{{- $_ := set .out "errors" $errors -}}
{{- end -}}

{{- /* Keys of root, group and job below which a value was refused: found, scope. */ -}}
{{- define "semel-jobs.refused" -}}
{{- $scope := .scope -}}
{{- $keys := dict -}}
{{- range .found -}}
  {{- $steps := .steps -}}
  {{- $size := len $steps -}}
  {{- $key := 0 -}}
  {{- if eq $size 0 -}}
  {{- else if ne (toString (first $steps)) "jobGroups" -}}{{- $key = first $steps -}}
  {{- else if and (ge $size 3) (eq (toString (index $steps 1)) $scope.groupName) -}}
    {{- if ne (toString (index $steps 2)) "jobs" -}}{{- $key = index $steps 2 -}}
    {{- else if ge $size 5 -}}
      {{- if eq (toString (index $steps 3)) $scope.jobName -}}{{- $key = index $steps 4 -}}{{- end -}}
    {{- end -}}
  {{- end -}}
  {{- if kindIs "string" $key -}}{{- $_ := set $keys $key true -}}{{- end -}}
{{- end -}}
{{- $_ := set $scope "refused" $keys -}}
{{- end -}}

{{- define "semel-jobs.judgeRelease" -}}
{{- $it := . -}}
{{- $path := list -}}
{{- $isRefused := false -}}
{{- range list "nameOverride" "fullnameOverride" -}}
  {{- $key := . -}}
  {{- if not (kindIs "invalid" (index $it.root $key)) -}}{{- $path = list $key -}}{{- end -}}
  {{- range $it.found -}}{{- if .steps -}}{{- if eq (toString (first .steps)) $key -}}{{- $isRefused = true -}}{{- end -}}{{- end -}}{{- end -}}
{{- end -}}
{{- if not (or $isRefused (eq (include "semel-jobs.isLabel" .full) "true")) -}}
  {{- $isLong := gt (len .full) 63 -}}
  {{- $text := ternary (printf "the full name '%s' has %d characters, and 63 are allowed" .full (len .full)) (printf "the full name '%s' is no DNS-1123 label" .full) $isLong -}}
  {{- $remedy := ternary "set a shorter fullnameOverride, or another release name" "use a-z, 0-9 and - only, with a letter or digit at both ends" $isLong -}}
  {{- template "semel-jobs.note" (dict "ctx" .ctx "code" "JG103" "path" $path "text" $text "remedy" $remedy) -}}
{{- end -}}
{{- if ne (include "semel-jobs.isLabel" .release.namespace) "true" -}}
  {{- template "semel-jobs.note" (dict "ctx" .ctx "code" "JG103" "path" list "text" (printf "the namespace '%s' is no DNS-1123 label" .release.namespace) "remedy" "use at most 63 of a-z, 0-9 and -, with a letter or digit at both ends") -}}
{{- end -}}
{{- end -}}

{{- /* What is wrong on a group itself, once, however many jobs it has: ctx, found, group, groupName. */ -}}
{{- define "semel-jobs.judgeGroup" -}}
{{- $group := .group -}}
{{- $ctx := .ctx -}}
{{- $path := list "jobGroups" .groupName -}}
{{- $refused := list -}}
{{- range .found -}}{{- $refused = append $refused .path -}}{{- end -}}
{{- $both := dict -}}
{{- template "semel-jobs.bothModes" (dict "level" $group "out" $both) -}}
{{- if $both.text -}}{{- template "semel-jobs.note" (dict "ctx" $ctx "code" "JG101" "path" $path "text" $both.text "remedy" $both.remedy) -}}{{- end -}}
{{- if and (ne (toString (index $group "kind")) "CronJob") (not (has (include "semel-jobs.path" (append $path "kind")) $refused)) -}}
  {{- range include "semel-jobs.cronKeys" nil | fromJsonArray -}}
    {{- if not (kindIs "invalid" (index $group .)) -}}
      {{- template "semel-jobs.note" (dict "ctx" $ctx "code" "JG113" "path" $path "text" (printf "%s is a field of CronJobs, and kind is Job" .) "remedy" "remove it, or set kind: CronJob on the group") -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- if and (not (hasKey $group "jobs")) (not (has (include "semel-jobs.path" (append $path "jobs")) $refused)) -}}
  {{- template "semel-jobs.note" (dict "ctx" $ctx "code" "JG104" "path" $path "text" "the group has no jobs" "remedy" "add jobs: {NAME: {...}}, or remove the group") -}}
{{- end -}}
{{- end -}}

{{- /* Two entries of one name, and adopted names: ctx, made. */ -}}
{{- define "semel-jobs.judgeNames" -}}
{{- $ctx := .ctx -}}
{{- $first := dict -}}
{{- range .made -}}
  {{- if kindIs "invalid" (index .scope.job "adoptName") -}}
    {{- $path := include "semel-jobs.path" .scope.path -}}
    {{- if not (hasKey $first .name) -}}{{- $_ := set $first .name (dict "path" $path "refused" .scope.refused) -}}
    {{- else -}}
      {{- $other := index $first .name -}}
      {{- if and (eq (len .scope.refused) 0) (eq (len $other.refused) 0) -}}
        {{- template "semel-jobs.note" (dict "ctx" $ctx "code" "JG115" "path" .scope.path "text" (printf "renders the same name as %s" $other.path) "remedy" "rename the job, or the group within its first eight characters") -}}
      {{- end -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- $remedy := "write the name of the Job in the cluster that has run this, or remove adoptName" -}}
{{- range .made -}}
  {{- if not (kindIs "invalid" (index .scope.job "adoptName")) -}}
    {{- $path := .scope.path -}}
    {{- if gt (len .name) .limit -}}
      {{- template "semel-jobs.note" (dict "ctx" $ctx "code" "JG121" "path" $path "text" (printf "adoptName has %d characters, and a %s may have %d" (len .name) .scope.kind .limit) "remedy" $remedy) -}}
    {{- else if ne (include "semel-jobs.isSubdomain" .name) "true" -}}
      {{- template "semel-jobs.note" (dict "ctx" $ctx "code" "JG103" "path" $path "text" (printf "adoptName '%s' is no valid name" .name) "remedy" $remedy) -}}
    {{- end -}}
    {{- if hasKey $first .name -}}
      {{- $other := index $first .name -}}
      {{- template "semel-jobs.note" (dict "ctx" $ctx "code" "JG121" "path" $path "text" (printf "adoptName '%s' is taken by %s" .name $other.path) "remedy" $remedy) -}}
    {{- else -}}{{- $_ := set $first .name (dict "path" (include "semel-jobs.path" $path) "refused" .scope.refused) -}}{{- end -}}
  {{- end -}}
{{- end -}}
{{- end -}}

{{- /* The enabled entries of configMaps, as objects: root, full, release; out.v. */ -}}
{{- define "semel-jobs.configMaps" -}}
{{- $it := . -}}
{{- $objects := list -}}
{{- $out := dict -}}
{{- range $key, $entry := .root.configMaps -}}
  {{- if kindIs "map" $entry -}}
    {{- if eq (toString (index $entry "enabled")) "true" -}}
      {{- $name := printf "%s-%s" $it.full $key -}}
      {{- $own := dict "app.kubernetes.io/name" (include "semel-jobs.cut" (dict "text" $key "limit" 63)) "app.kubernetes.io/instance" (include "semel-jobs.cut" (dict "text" $name "limit" 63)) -}}
      {{- template "semel-jobs.labels" (dict "values" $it.root "own" $own "full" $it.full "release" $it.release "out" $out) -}}
      {{- $metadata := dict "name" $name "namespace" $it.release.namespace "labels" $out.v -}}
      {{- template "semel-jobs.put" (dict "into" $metadata "key" "annotations" "v" $it.root.commonAnnotations) -}}
      {{- template "semel-jobs.tidy" (dict "v" ($entry.data | default dict) "out" $out) -}}
      {{- $objects = append $objects (dict "apiVersion" "v1" "kind" "ConfigMap" "metadata" $metadata "data" $out.v) -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- $_ := set .out "v" $objects -}}
{{- end -}}
