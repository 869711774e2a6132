{{- /*
Manifests from the values of a chart: its context, or a dict with `context` and what is not as
usual: values (instead of those of the chart, but for `global`), engine, tagPolicy, configMaps,
sharedValues, chart. Fails with all that is wrong.
*/ -}}
{{- define "semel-jobs.render" -}}
{{- $given := ternary . (dict "context" .) (hasKey . "context") -}}
{{- $made := dict -}}
{{- template "semel-jobs.ask" (dict "given" $given "out" $made) -}}
{{- if gt (int $made.errors) 0 -}}
  {{- $lines := list -}}
  {{- range $made.problems -}}
    {{- $lines = append $lines (include "semel-jobs.line" .) -}}
    {{- if not (hasPrefix "JG2" .code) -}}{{- $lines = append $lines (printf "  remedy  %s" .remedy) -}}{{- end -}}
  {{- end -}}
  {{- $count := ternary "1 error" (printf "%d errors" (int $made.errors)) (eq (int $made.errors) 1) -}}
  {{- fail (printf "\n%s\n%s: nothing is rendered\n" (join "\n" $lines) $count) -}}
{{- end -}}
{{- template "semel-jobs.print" $made -}}
{{- end -}}

{{- /* given, out: settings from `global.semel` and from the caller, then all that semel-jobs.make says. */ -}}
{{- define "semel-jobs.ask" -}}
{{- $given := .given -}}
{{- $context := $given.context -}}
{{- $values := $context.Values -}}
{{- $settings := dict -}}
{{- $wrong := list -}}
{{- $allowed := dict
  "engine" (list "any" "flux" "argocd" "argocd-selfheal" "kro" "helm" "none")
  "tagPolicy" (list "allow" "warn" "immutable")
  "configMaps" (list true false)
  "sharedValues" (list true false) -}}
{{- $global := $values.global | default dict -}}
{{- if kindIs "map" $global -}}
  {{- $own := index $global "semel" | default dict -}}
  {{- if not (kindIs "map" $own) -}}
    {{- $wrong = append $wrong (dict "code" "JG104" "path" "global.semel" "text" "must be a mapping" "remedy" "write engine, tagPolicy, configMaps or sharedValues below it") -}}
  {{- else -}}
    {{- range $key, $value := $own -}}
      {{- $path := printf "global.semel.%s" $key -}}
      {{- if not (hasKey $allowed $key) -}}
        {{- $wrong = append $wrong (dict "code" "JG102" "path" $path "text" (printf "unknown key '%s'" $key) "remedy" "write engine, tagPolicy, configMaps or sharedValues") -}}
      {{- else if kindIs "invalid" $value -}}
      {{- else if not (has $value (index $allowed $key)) -}}
        {{- $words := list -}}
        {{- range index $allowed $key -}}{{- $words = append $words (toString .) -}}{{- end -}}
        {{- $wrong = append $wrong (dict "code" "JG104" "path" $path "text" (printf "must be one of %s" (join ", " $words)) "remedy" (printf "write %s, or leave it out" (first $words))) -}}
      {{- else -}}{{- $_ := set $settings $key $value -}}{{- end -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- range $key, $_ := $allowed -}}
  {{- if and (hasKey $given $key) (not (hasKey $settings $key)) -}}{{- $_ := set $settings $key (index $given $key) -}}{{- end -}}
{{- end -}}
{{- $isOwn := eq $context.Chart.Name "semel-jobs" -}}
{{- $isChosen := hasKey $given "values" -}}
{{- $shared := index $settings "sharedValues" -}}
{{- if kindIs "invalid" $shared -}}{{- $shared = not (or $isOwn $isChosen) -}}{{- end -}}
{{- if and $isChosen (kindIs "map" $given.values) -}}
  {{- $both := dict -}}
  {{- template "semel-jobs.two" (dict "below" (dict "global" $values.global) "above" $given.values "out" $both) -}}
  {{- $values = $both.v -}}
{{- else if $isChosen -}}
  {{- $wrong = append $wrong (dict "code" "JG104" "path" "values" "text" "the values that the template chooses are no mapping" "remedy" "look for a misspelt key in the template, or in the values of the chart") -}}
  {{- $values = dict -}}
{{- end -}}
{{- $chart := index $given "chart" | default (ternary "app" $context.Chart.Name $isOwn) -}}
{{- $release := dict "name" $context.Release.Name "namespace" $context.Release.Namespace "chart" $chart "appVersion" (toString ($context.Chart.AppVersion | default "")) -}}
{{- template "semel-jobs.make" (dict "values" $values "release" $release "engine" ($settings.engine | default "any") "tagPolicy" ($settings.tagPolicy | default "warn") "configMaps" $settings.configMaps "sharedValues" $shared "out" .out) -}}
{{- if $wrong -}}
  {{- $_ := set .out "problems" (concat $wrong .out.problems) -}}
  {{- $_ := set .out "errors" (add .out.errors (len $wrong)) -}}
{{- end -}}
{{- end -}}

{{- /* Warnings as comments, since a chart can say nothing aside, then the objects. */ -}}
{{- define "semel-jobs.print" -}}
{{- range .problems }}
# {{ include "semel-jobs.line" . | replace "\n" " " | replace "\r" " " }}
{{- end }}
{{- $order := include "semel-jobs.order" nil | fromJson }}
{{- $cache := dict }}
{{- range .objects }}
---
{{ template "semel-jobs.yaml" (dict "v" . "margin" "" "order" $order "cache" $cache) }}
{{- end }}
{{- end -}}
