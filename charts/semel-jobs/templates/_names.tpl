{{- define "semel-jobs.isLabel" -}}
{{- if and (le (len .) 63) (regexMatch "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$" .) -}}true{{- end -}}
{{- end -}}

{{- define "semel-jobs.isSubdomain" -}}
{{- if regexMatch "^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$" . -}}true{{- end -}}
{{- end -}}

{{- /* What is too long is cut and gets five digits of the hash of the whole: text, limit. */ -}}
{{- define "semel-jobs.cut" -}}
{{- if le (len .text) (int .limit) -}}{{- .text -}}
{{- else -}}
  {{- $head := regexReplaceAll "-+$" (substr 0 (int (sub .limit 6)) .text) "" -}}
  {{- printf "%s-%s" $head (substr 0 5 (sha256sum .text)) -}}
{{- end -}}
{{- end -}}

{{- /* The release's name, and that of the chart unless it is in it: values, release. */ -}}
{{- define "semel-jobs.fullName" -}}
{{- $given := .values.fullnameOverride -}}
{{- $part := .values.nameOverride | default .release.chart -}}
{{- if $given -}}{{- $given -}}
{{- else if contains $part .release.name -}}{{- .release.name -}}
{{- else -}}{{- printf "%s-%s" .release.name $part -}}{{- end -}}
{{- end -}}

{{- /* 63, for a CronJob 52, and less where the pods of an Indexed Job add their index: kind, spec. */ -}}
{{- define "semel-jobs.limit" -}}
{{- $index := 0 -}}
{{- if and (eq (toString (index .spec "completionMode")) "Indexed") (hasKey .spec "completions") -}}
  {{- if gt .spec.completions 0 -}}{{- $index = len (printf "-%d" (sub .spec.completions 1)) -}}{{- end -}}
{{- end -}}
{{- if eq .kind "Job" -}}{{- sub 63 $index -}}{{- else -}}{{- min 52 (sub 54 $index) -}}{{- end -}}
{{- end -}}

{{- /* Labels of an object; what tells the objects apart cannot be overridden: values, own, full, release, out. */ -}}
{{- define "semel-jobs.labels" -}}
{{- $it := . -}}
{{- $labels := dict -}}
{{- range $key, $value := .values.commonLabels -}}
  {{- if not (or (kindIs "invalid" $value) (has $key (list "app.kubernetes.io/name" "app.kubernetes.io/instance"))) -}}{{- $_ := set $labels $key $value -}}{{- end -}}
{{- end -}}
{{- range $key, $value := .own -}}{{- $_ := set $labels $key $value -}}{{- end -}}
{{- $given := .values.labels | default dict -}}
{{- $standard := $given.standard | default dict -}}
{{- $all := ne (toString (index $standard "enabled")) "false" -}}
{{- if and $all (ne (toString (index $standard "partOf")) "false") -}}
  {{- $_ := set $labels "app.kubernetes.io/part-of" (include "semel-jobs.cut" (dict "text" .full "limit" 63)) -}}
{{- end -}}
{{- if and $all .release.appVersion (ne (toString (index $standard "version")) "false") -}}
  {{- $_ := set $labels "app.kubernetes.io/version" (include "semel-jobs.cut" (dict "text" .release.appVersion "limit" 63)) -}}
{{- end -}}
{{- if and $all (ne (toString (index $standard "managedBy")) "false") -}}
  {{- $_ := set $labels "app.kubernetes.io/managed-by" "semel" -}}
{{- end -}}
{{- $_ := set .out "v" $labels -}}
{{- end -}}
