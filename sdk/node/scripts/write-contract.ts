/** Writes src/contract.ts. Run it after changing the contract: `npm run sdk:types`. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endpoints } from '@quittance/contract/endpoints';
import { describeContract } from './describe-contract.ts';

const file = fileURLToPath(new URL('../src/contract.ts', import.meta.url));
writeFileSync(file, describeContract(endpoints));
execFileSync('biome', ['check', '--write', file], { stdio: 'inherit' });
