/** As known.ts, for Helm. */
const terminating =
  'a Job in foreground deletion whose pod is still stopping gets FailureTarget in the model and ' +
  'none in the recording: a rule of the Job controller, wished for in the cluster model'

export const knownHelm: Readonly<Record<string, string>> = {
  'helm/017-uninstall-v4': terminating,
  'helm/033-hook-without-policy-removed-by-ttl-dying-v3': terminating,
  'helm/033-hook-without-policy-removed-by-ttl-dying-v3.21': terminating,
  'helm/033-hook-without-policy-removed-by-ttl-dying-v4.2': terminating,
}
