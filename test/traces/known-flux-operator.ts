/** Traces of flux-operator on which the model is known to differ; see known.ts. */
export const knownFluxOperator: Readonly<Record<string, string>> = {
  'flux-operator/026-workers-starve':
    'sets of other recordings still held three of the ten workers: seven of twelve began at once, ' +
    'one each at 3.8 s and 10.4 s; the model has all ten and starts ten at once (test of O-6)',
  'flux-operator/040-nudged-steps':
    'eight sets, each asked anew at every Complete, kept the recording machine busy: up to 2.6 s ' +
    'from a Complete to the next step, 0.03 s in the model; one set at a time agrees (045)',
}
