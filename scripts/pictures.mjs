#!/usr/bin/env node
import { runWithNode } from './run-with-node.mjs';

// The story that makes them tells whether they can be made; only here they are kept.
process.env.WRITE_PICTURES = '1';
process.argv.push('browser-pictures');
runWithNode('scripts/test.ts');
