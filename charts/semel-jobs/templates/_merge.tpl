{{- /*
The ways in which levels (root, group, job) come together. Presence counts, not truthiness; null
takes away what the levels before have said. All of them put their answer into out.v.
*/ -}}

{{- /* Union by key; a later level replaces the whole entry: levels. */ -}}
{{- define "semel-jobs.keyed" -}}
{{- $merged := dict -}}
{{- range $level := .levels -}}
  {{- if kindIs "invalid" $level -}}{{- $merged = dict -}}
  {{- else if kindIs "map" $level -}}
    {{- range $key, $value := $level -}}
      {{- if kindIs "invalid" $value -}}{{- $_ := unset $merged $key -}}
      {{- else -}}{{- $_ := set $merged $key $value -}}{{- end -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- $_ := set .out "v" $merged -}}
{{- end -}}

{{- /* Mappings merge recursively, everything else replaces: levels. Nothing where no level has a mapping. */ -}}
{{- define "semel-jobs.deep" -}}
{{- $merged := dict -}}
{{- $has := false -}}
{{- range $level := .levels -}}
  {{- if kindIs "invalid" $level -}}{{- $merged = dict -}}{{- $has = false -}}
  {{- else if kindIs "map" $level -}}
    {{- $both := dict -}}
    {{- template "semel-jobs.two" (dict "below" $merged "above" $level "out" $both) -}}
    {{- $merged = $both.v -}}
    {{- $has = true -}}
  {{- end -}}
{{- end -}}
{{- $_ := set .out "v" (ternary $merged nil $has) -}}
{{- end -}}

{{- define "semel-jobs.two" -}}
{{- $merged := dict -}}
{{- range $key, $value := .below -}}{{- $_ := set $merged $key $value -}}{{- end -}}
{{- range $key, $value := .above -}}
  {{- $before := index $merged $key -}}
  {{- if and (kindIs "map" $before) (kindIs "map" $value) -}}
    {{- $both := dict -}}
    {{- template "semel-jobs.two" (dict "below" $before "above" $value "out" $both) -}}
    {{- $_ := set $merged $key $both.v -}}
  {{- else -}}{{- $_ := set $merged $key $value -}}{{- end -}}
{{- end -}}
{{- $_ := set .out "v" $merged -}}
{{- end -}}

{{- /* Lists one after the other: levels. */ -}}
{{- define "semel-jobs.joined" -}}
{{- $all := list -}}
{{- range $level := .levels -}}
  {{- if kindIs "invalid" $level -}}{{- $all = list -}}
  {{- else if kindIs "slice" $level -}}{{- $all = concat $all $level -}}{{- end -}}
{{- end -}}
{{- $_ := set .out "v" $all -}}
{{- end -}}

{{- /* The values of a key on those of `of` that have it, null included: key, of; out.v. */ -}}
{{- define "semel-jobs.levels" -}}
{{- $key := .key -}}
{{- $levels := list -}}
{{- range .of -}}
  {{- if hasKey . $key -}}{{- $levels = append $levels (index . $key) -}}{{- end -}}
{{- end -}}
{{- $_ := set .out "v" $levels -}}
{{- end -}}

{{- /* Without null members, at any depth: v. */ -}}
{{- define "semel-jobs.tidy" -}}
{{- $out := .out -}}
{{- if kindIs "map" .v -}}
  {{- $tidy := dict -}}
  {{- $inner := dict -}}
  {{- range $key, $value := .v -}}
    {{- if not (kindIs "invalid" $value) -}}
      {{- template "semel-jobs.tidy" (dict "v" $value "out" $inner) -}}
      {{- $_ := set $tidy $key $inner.v -}}
    {{- end -}}
  {{- end -}}
  {{- $_ := set $out "v" $tidy -}}
{{- else if kindIs "slice" .v -}}
  {{- $tidy := list -}}
  {{- $inner := dict -}}
  {{- range $value := .v -}}
    {{- template "semel-jobs.tidy" (dict "v" $value "out" $inner) -}}
    {{- $tidy = append $tidy $inner.v -}}
  {{- end -}}
  {{- $_ := set $out "v" $tidy -}}
{{- else -}}{{- $_ := set $out "v" .v -}}{{- end -}}
{{- end -}}

{{- /* Sets a key of `into` to the tidied value, unless nothing is left to say: into, key, v. */ -}}
{{- define "semel-jobs.put" -}}
{{- if or (kindIs "map" .v) (kindIs "slice" .v) -}}
  {{- $tidy := dict -}}
  {{- template "semel-jobs.tidy" (dict "v" .v "out" $tidy) -}}
  {{- if gt (len $tidy.v) 0 -}}{{- $_ := set .into .key $tidy.v -}}{{- end -}}
{{- else if not (kindIs "invalid" .v) -}}{{- $_ := set .into .key .v -}}{{- end -}}
{{- end -}}
