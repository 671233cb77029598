/** `npm run release -- 0.2.0`: see make-release.ts. Nothing is sent anywhere: it prints what to do next. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeRelease, ReleaseError } from './make-release.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [version = ''] = process.argv.slice(2);
try {
  makeRelease({ root, version, today: new Date().toISOString().slice(0, 10) });
  console.log(`Version ${version} is committed and tagged. Next:
  .ci/run                                     all tests, on what was tagged
  npm run test:deep -- --whole                and every death that a deep run leaves out
  docker build --tag quittance:${version} .   the image
  git push origin HEAD v${version}            for everybody
  npm run build --workspace=sdk/node          the SDK, then: npm publish --workspace=sdk/node`);
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(`${error.message} Usage: npm run release -- 0.2.0`);
  process.exit(1);
}
