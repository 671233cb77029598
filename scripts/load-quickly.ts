/**
 * For processes of tests (`node --import`): where a file of ours lies is read from the name by which another one imports
 * it. Node would look on the disk for the file, for links on the way to it and for the nearest package.json, a thousand
 * times in each of some hundred processes.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve(name, context, further) {
    const isOurs = name.startsWith('.') && name.endsWith('.ts') && context.parentURL?.startsWith('file:') === true;
    if (!isOurs) return further(name, context);
    return { url: new URL(name, context.parentURL).href, format: 'module-typescript', shortCircuit: true };
  },
});
