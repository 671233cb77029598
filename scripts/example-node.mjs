#!/usr/bin/env node
import { runWithNode } from './run-with-node.mjs';

// The SDK as it lies here; who has installed it needs no flag.
runWithNode('examples/node/shop.mjs', ['--conditions=quittance-source']);
