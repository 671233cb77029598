/**
 * Compiles the contracts of the sandbox. Only tests do that: what `npm start` deploys is stored compiled beside the
 * source, because loading the compiler takes longer than everything else. Run as a program, this file renews it.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Abi, Hex } from 'viem';

export type CompiledContract = { readonly abi: Abi; readonly bytecode: Hex };

const source = new URL('../contracts/tokens.sol', import.meta.url);
const compiled = new URL('../contracts/tokens.json', import.meta.url);

type Output = {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>;
};

export async function compileContracts(): Promise<Record<string, CompiledContract>> {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const input = {
    language: 'Solidity',
    sources: { 'tokens.sol': { content: await readFile(source, 'utf8') } },
    settings: {
      evmVersion: 'paris',
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'));
  const contracts = Object.entries(output.contracts['tokens.sol'] ?? {});
  return Object.fromEntries(
    contracts.map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` as const }]),
  );
}

/** Changes with the source: tells whether what is stored was compiled from it. */
export const sourceHash = async (): Promise<string> =>
  createHash('sha256')
    .update(await readFile(source))
    .digest('hex');

export type KeptContracts = {
  /** Of the source that they were compiled from. */
  readonly sourceHash: string;
  readonly contracts: Readonly<Record<string, CompiledContract>>;
};

export const readKeptContracts = async (): Promise<KeptContracts> =>
  JSON.parse(await readFile(compiled, 'utf8')) as KeptContracts;

export const readCompiledContracts = async (): Promise<Record<string, CompiledContract>> =>
  (await readKeptContracts()).contracts;

async function writeKept(): Promise<void> {
  const kept: KeptContracts = { sourceHash: await sourceHash(), contracts: await compileContracts() };
  await writeFile(compiled, `${JSON.stringify(kept, null, 2)}\n`);
}
// Not awaited: otherwise Node would make every importer of this file wait for it.
if (import.meta.main) void writeKept();
