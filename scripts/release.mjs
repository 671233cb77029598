#!/usr/bin/env node
import { runWithNode } from './run-with-node.mjs';

runWithNode('scripts/release.ts');
