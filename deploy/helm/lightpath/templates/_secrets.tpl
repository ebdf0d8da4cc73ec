{{- define "lightpath.secret" -}}
apiVersion: v1
kind: Secret
type: kubernetes.io/tls
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
  labels: {app.kubernetes.io/part-of: lightpath}
  {{- if .keep }}
  annotations: {helm.sh/resource-policy: keep}
  {{- end }}
data: {{ toJson .data }}
{{- end -}}

{{/*
The PKCS#8 of a P-256 key, which genPrivateKey gives as SEC 1 (RFC 5915). That is always 121 bytes long there, so what PKCS#8
(RFC 5958) has before it is always the same.
*/}}
{{- define "lightpath.pkcs8" -}}
{{- $key := regexReplaceAll "-----[A-Z ]+-----|\\s" . "" | b64dec -}}
{{- $whole := printf "%s%s" (b64dec "MIGTAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBHk=") $key | b64enc -}}
-----BEGIN PRIVATE KEY-----
{{ regexReplaceAll "(.{64})" $whole "${1}\n" }}
-----END PRIVATE KEY-----
{{ end -}}
