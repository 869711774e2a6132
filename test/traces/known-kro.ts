/** As known.ts, for kro. */
export const knownKro: Readonly<Record<string, string>> = {
  'kro/012-replay-managed-by':
    'the recording lists 70 of 532 Jobs, and the script that wrote their status is no event of it',
}
