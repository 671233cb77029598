/** Key, secret and address: from the environment, or of the sandbox that `npm start` has made. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export function readAccess() {
  const { QUITTANCE_KEY: apiKey, QUITTANCE_SECRET: apiSecret, QUITTANCE_URL: baseUrl } = process.env;
  if (apiKey && apiSecret && baseUrl) return { apiKey, apiSecret, baseUrl };
  const repository = resolve(import.meta.dirname, '../..');
  const file = resolve(repository, process.env.DATA_DIR ?? 'data', 'access.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    console.error(
      `There is no ${file}: run npm start first, or set QUITTANCE_KEY, QUITTANCE_SECRET and QUITTANCE_URL.`,
    );
    return process.exit(1);
  }
}
