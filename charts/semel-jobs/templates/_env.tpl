{{- /* Each variable once: from the last layer that has it, by layer, then by name: scope; out.v, a list. */ -}}
{{- define "semel-jobs.env" -}}
{{- $scope := .scope -}}
{{- $variables := dict "NAMESPACE" (dict "layer" 0 "entry" (dict "valueFrom" (dict "fieldRef" (dict "fieldPath" "metadata.namespace")))) -}}
{{- $takes := $scope.inherit.env | default dict -}}
{{- $layers := list -}}
{{- $global := $scope.root.global | default dict -}}
{{- if and (hasKey $global "env") (ne (toString (index $takes "global")) "false") -}}{{- $layers = append $layers (dict "layer" 1 "map" $global.env) -}}{{- end -}}
{{- if and (hasKey $scope.root "env") (ne (toString (index $takes "root")) "false") -}}{{- $layers = append $layers (dict "layer" 2 "map" $scope.root.env) -}}{{- end -}}
{{- if hasKey $scope.group "env" -}}{{- $layers = append $layers (dict "layer" 3 "map" $scope.group.env) -}}{{- end -}}
{{- if hasKey $scope.job "env" -}}{{- $layers = append $layers (dict "layer" 4 "map" $scope.job.env) -}}{{- end -}}
{{- range $layers -}}
  {{- $layer := .layer -}}
  {{- if kindIs "invalid" .map -}}
    {{- range $name := keys $variables -}}
      {{- $variable := index $variables $name -}}
      {{- if ne (int $variable.layer) 0 -}}{{- $_ := unset $variables $name -}}{{- end -}}
    {{- end -}}
  {{- else -}}
    {{- range $name, $value := .map -}}
      {{- if kindIs "invalid" $value -}}{{- $_ := unset $variables $name -}}
      {{- else if kindIs "map" $value -}}
        {{- $tidy := dict -}}
        {{- template "semel-jobs.tidy" (dict "v" $value "out" $tidy) -}}
        {{- $_ := set $variables $name (dict "layer" $layer "entry" $tidy.v) -}}
      {{- else -}}{{- $_ := set $variables $name (dict "layer" $layer "entry" (dict "value" $value)) -}}{{- end -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- $order := list -}}
{{- range $name, $variable := $variables -}}{{- $order = append $order (printf "%d\x00%s" (int $variable.layer) $name) -}}{{- end -}}
{{- $state := dict "variables" $variables "placed" dict "names" list "circles" dict "scope" $scope -}}
{{- range sortAlpha $order -}}
  {{- template "semel-jobs.place" (dict "name" (substr 2 -1 .) "open" list "state" $state) -}}
{{- end -}}
{{- $list := list -}}
{{- range $state.names -}}
  {{- $entry := dict "name" . -}}
  {{- $variable := index $variables . -}}
  {{- range $key, $value := $variable.entry -}}{{- $_ := set $entry $key $value -}}{{- end -}}
  {{- $list = append $list $entry -}}
{{- end -}}
{{- $_ := set .out "v" $list -}}
{{- end -}}

{{- /* Kubernetes replaces $(X) only by variables that stand before: name, open, state. */ -}}
{{- define "semel-jobs.place" -}}
{{- $state := .state -}}
{{- $name := .name -}}
{{- if hasKey $state.placed $name -}}
{{- else if has $name .open -}}
  {{- $circle := list -}}
  {{- range .open -}}{{- if or (gt (len $circle) 0) (eq . $name) -}}{{- $circle = append $circle . -}}{{- end -}}{{- end -}}
  {{- $key := join " " (sortAlpha $circle) -}}
  {{- if not (hasKey $state.circles $key) -}}
    {{- $text := printf "variables refer to each other in a circle: %s" (join " -> " (append $circle $name)) -}}
    {{- template "semel-jobs.say" (dict "scope" $state.scope "code" "JG118" "text" $text "remedy" "write one of them out; $$(NAME) stands for the text $(NAME)") -}}
  {{- end -}}
  {{- $_ := set $state.circles $key true -}}
{{- else -}}
  {{- $open := append .open $name -}}
  {{- $variable := index $state.variables $name -}}
  {{- if kindIs "string" $variable.entry.value -}}
    {{- range regexFindAll "\\$(?:\\$|\\([^)]*\\))" $variable.entry.value -1 -}}
      {{- $used := . | trimPrefix "$(" | trimSuffix ")" -}}
      {{- if and (hasPrefix "$(" .) (hasKey $state.variables $used) -}}
        {{- template "semel-jobs.place" (dict "name" $used "open" $open "state" $state) -}}
      {{- end -}}
    {{- end -}}
  {{- end -}}
  {{- $_ := set $state.placed $name true -}}
  {{- $_ := set $state "names" (append $state.names $name) -}}
{{- end -}}
{{- end -}}

{{- /* Secrets before ConfigMaps; a name that comes again counts at its last place: scope; out.v. */ -}}
{{- define "semel-jobs.envFrom" -}}
{{- $scope := .scope -}}
{{- $list := list -}}
{{- $own := $scope.root.configMaps | default dict -}}
{{- range list (list "envSecrets" "envSecrets" "secretRef") (list "envConfigMaps" "configMaps" "configMapRef") -}}
  {{- $key := index . 0 -}}
  {{- $ref := index . 2 -}}
  {{- $of := list $scope.group $scope.job -}}
  {{- if ne (toString (index $scope.inherit (index . 1))) "false" -}}{{- $of = prepend $of $scope.root -}}{{- end -}}
  {{- $levels := dict -}}
  {{- template "semel-jobs.levels" (dict "key" $key "of" $of "out" $levels) -}}
  {{- $joined := dict -}}
  {{- template "semel-jobs.joined" (dict "levels" $levels.v "out" $joined) -}}
  {{- $last := dict -}}
  {{- $names := list -}}
  {{- range $index, $name := $joined.v -}}
    {{- if and (eq $ref "configMapRef") (kindIs "map" (index $own $name)) -}}{{- $name = printf "%s-%s" $scope.full $name -}}{{- end -}}
    {{- $names = append $names $name -}}
    {{- $_ := set $last $name $index -}}
  {{- end -}}
  {{- range $index, $name := $names -}}
    {{- if eq $index (int (index $last $name)) -}}{{- $list = append $list (dict $ref (dict "name" $name)) -}}{{- end -}}
  {{- end -}}
{{- end -}}
{{- $_ := set .out "v" $list -}}
{{- end -}}
