/**
 * Runs the examples of the manual as they are written, in a folder where the SDKs are installed. Only the key, the address
 * and the port are others.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasPhpCurl, hasRuby } from '../../sdk/test/programs.ts';
import { freePort } from '../src/lib/free-port.ts';
import type { Gateway } from './gateway.ts';
import type { Block, ShownLanguage } from './manual-page.ts';
import type { Shop } from './shop.ts';
import { until } from './until.ts';

/** What is not installed here, and is said when its tests are skipped; see scripts/system-packages.ts. */
export const missing: Readonly<Record<ShownLanguage, string | false>> = {
  sh: false,
  js: false,
  php: !hasPhpCurl() && 'NOT TESTED for want of PHP with curl',
  ruby: !hasRuby() && 'NOT TESTED for want of Ruby',
};

export const placeOf = ({ page, line }: Block): string => `${page}:${line}`;

type Spoken = { readonly shop: Shop; readonly port?: number; readonly env?: NodeJS.ProcessEnv };

export type Sent = { readonly body: string; readonly headers?: Record<string, string> };
type Receiver = { readonly port: number; said(): string; send(sent: Sent): Promise<string> };

export type Workbench = {
  readonly folder: string;
  /** The places of the examples that were run. */
  readonly ran: ReadonlySet<string>;
  /** What an example says when it is run. */
  told(block: Block, spoken: Spoken): Promise<string>;
  /** What each of several examples in a language says, all in one process: to start one takes longer than any of them. */
  toldInTurn(blocks: readonly Block[], spoken: Spoken): Promise<string[]>;
  /** Runs an example that receives webhooks while the story goes on. */
  whileReceiving(block: Block, shop: Shop, story: (receiver: Receiver) => Promise<void>): Promise<void>;
  clear(): void;
};

const sdk = (path: string): string => fileURLToPath(new URL(`../../sdk/${path}`, import.meta.url));

/** Runs the files that it is given one after the other, with a line of dashes after each. */
const inTurn = {
  js: [
    '--input-type=module',
    '-e',
    "for (const file of process.argv.slice(1)) { await import(file); console.log('---'); }",
  ],
  php: ['-r', 'foreach (array_slice($argv, 1) as $file) { (fn () => include $file)(); echo "---\\n"; }', '--'],
  ruby: ['-w', '-e', 'ARGV.each { |file| load file; puts "---" }'],
};

export function openWorkbench(gateway: Gateway): Workbench {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-manual-'));
  mkdirSync(join(folder, 'node_modules/@quittance'), { recursive: true });
  symlinkSync(sdk('node'), join(folder, 'node_modules/@quittance/sdk'));
  mkdirSync(join(folder, 'vendor'));
  const bootstrap = JSON.stringify(sdk('php/autoload.php'));
  writeFileSync(join(folder, 'vendor/autoload.php'), `<?php require ${bootstrap};`);
  const ran = new Set<string>();

  /** The block as a program of this shop. The shell's clock is the gateway's: the others ask the server for the time. */
  function programOf(block: Block, { shop, port = 3000 }: Spoken): { command: string; args: string[] } {
    ran.add(placeOf(block));
    const code = block.code
      .replaceAll('YOUR_KEY', shop.merchant.apiKey)
      .replaceAll('http://127.0.0.1:8080/api/v1', gateway.url)
      .replaceAll(/\b3000\b/g, String(port));
    const file = (ending: string): string => {
      const path = join(folder, `${block.page}-${block.line}.${ending}`);
      writeFileSync(path, code);
      return path;
    };
    switch (block.language) {
      case 'sh':
        return { command: 'bash', args: ['-euo', 'pipefail', '-c', `date() { echo "$NOW"; }\n${code}`] };
      case 'js':
        return { command: process.execPath, args: ['--conditions=quittance-source', file('mjs')] };
      case 'php':
        return { command: 'php', args: [file('php')] };
      default:
        return { command: 'ruby', args: ['-w', file('rb')] };
    }
  }

  const environment = ({ shop, env }: Spoken): NodeJS.ProcessEnv => ({
    PATH: process.env['PATH'],
    RUBYLIB: sdk('ruby/lib'),
    TMPDIR: folder,
    NOW: String(Math.floor(gateway.clock.now().getTime() / 1000)),
    QUITTANCE_SECRET: shop.merchant.apiSecret,
    QUITTANCE_WEBHOOK_SECRET: shop.merchant.webhookSecret,
    ...env,
  });

  function start(
    command: string,
    args: readonly string[],
    spoken: Spoken,
  ): { child: ChildProcess; said: () => string } {
    const child = spawn(command, args, { cwd: folder, env: environment(spoken), stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => (text += part));
    return { child, said: () => text };
  }

  async function told(block: Block, spoken: Spoken): Promise<string> {
    const { command, args } = programOf(block, spoken);
    return saidBy(command, args, spoken);
  }

  async function saidBy(command: string, args: readonly string[], spoken: Spoken): Promise<string> {
    const { child, said } = start(command, args, spoken);
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 0, `${args.join(' ')} says: ${said()}`);
    return said();
  }

  async function toldInTurn(blocks: readonly Block[], spoken: Spoken): Promise<string[]> {
    const language = blocks[0]?.language as keyof typeof inTurn;
    const programs = blocks.map((block) => programOf(block, spoken));
    const files = programs.map(({ args }) => args.at(-1) ?? '');
    const options = (programs[0]?.args ?? []).filter((argument) => argument.startsWith('--'));
    const said = await saidBy(programs[0]?.command ?? '', [...options, ...inTurn[language], ...files], spoken);
    return said.split('---\n').slice(0, -1);
  }

  /** Starts an example that listens. Another process may take the port between its choice and the listening. */
  async function startReceiver(block: Block, shop: Shop): Promise<{ child: ChildProcess } & Receiver> {
    for (;;) {
      const port = await freePort('127.0.0.1');
      const { command, args } = programOf(block, { shop, port });
      const served = block.language === 'php' ? ['-S', `127.0.0.1:${port}`, ...args] : args;
      const { child, said } = start(command, served, { shop });
      const send = async ({ body, headers = {} }: Sent): Promise<string> => {
        const answer = await fetch(`http://127.0.0.1:${port}/webhook`, { method: 'POST', body, headers });
        return `${answer.status} ${await answer.text()}`;
      };
      const hasAnswered = (): Promise<boolean> =>
        send({ body: '' }).then(
          () => true,
          () => false,
        );
      await until('the receiver listens', async () => child.exitCode !== null || (await hasAnswered()));
      if (child.exitCode === null) return { child, port, said, send };
      assert.match(said(), /in use/i);
    }
  }

  async function whileReceiving(block: Block, shop: Shop, story: (receiver: Receiver) => Promise<void>): Promise<void> {
    const { child, ...receiver } = await startReceiver(block, shop);
    try {
      await story(receiver);
    } finally {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    }
  }

  return {
    folder,
    ran,
    told,
    toldInTurn,
    whileReceiving,
    clear: () => rmSync(folder, { recursive: true, force: true }),
  };
}
