/** Writes openapi.json. Run it after changing the contract: `npm run openapi`. */
import { writeFile } from 'node:fs/promises';
import { buildOpenapi } from './openapi.ts';

await writeFile(new URL('../openapi.json', import.meta.url), `${JSON.stringify(buildOpenapi(), null, 2)}\n`);
