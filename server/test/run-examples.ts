/**
 * Runs the programs that the manual shows, all of one language in one process, as a reader would who has copied them: with
 * the SDK of that language, and the secret in the environment.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Example } from '@quittance/contract/examples';

export type ShownLanguage = 'sh' | 'js' | 'php' | 'ruby';

export type ShownProgram = { readonly operation: string; readonly code: string };

const repository = fileURLToPath(new URL('../..', import.meta.url));
const sdk = (name: string): string => join(repository, 'sdk', name);

/** What is written around the programs so that one process runs them all: each prints its name if it fails. */
const drivers: Readonly<
  Record<ShownLanguage, { readonly file: string; readonly text: string; readonly command: string[] }>
> = {
  sh: {
    file: 'run.sh',
    text: 'for each in *.example; do bash -eu -o pipefail -c \'. ./around.sh; . "./$0"\' "$each" > "$each.out" 2>&1 || { echo "$each"; cat "$each.out"; }; done',
    command: ['bash', 'run.sh'],
  },
  js: {
    file: 'run.mjs',
    text: `import { readdirSync, renameSync } from 'node:fs';
console.log = () => undefined;
for (const each of readdirSync('.').filter((name) => name.endsWith('.example'))) {
  renameSync(each, each + '.mjs');
  await import('./' + each + '.mjs').catch((error) => console.error(each, error));
}`,
    command: [process.execPath, '--conditions=quittance-source', '--no-warnings', 'run.mjs'],
  },
  php: {
    file: 'run.php',
    text: `<?php
error_reporting(E_ALL);
set_error_handler(fn ($no, $said) => throw new ErrorException($said));
foreach (glob('*.example') as $each) {
    ob_start();
    $said = '';
    try {
        (static function (string $code): void { eval('?>' . $code); })(file_get_contents($each));
    } catch (Throwable $error) {
        $said = "$each $error\\n";
    }
    ob_end_clean();
    echo $said;
}`,
    command: ['php', 'run.php'],
  },
  ruby: {
    file: 'run.rb',
    text: `require 'stringio'
Dir.glob('*.example').sort.each do |each|
  kept, $stdout = $stdout, StringIO.new
  begin
    eval(File.read(each, encoding: 'UTF-8'), Object.new.instance_eval { binding }, each)
  rescue Exception => e
    warn "#{each} #{e.full_message}"
  end
  $stdout = kept
end`,
    command: ['ruby', '-w', '-I', join(sdk('ruby'), 'lib'), 'run.rb'],
  },
};

/** Throws with what the programs said that failed. `around`: of the shell, such as what time it is. */
export async function runPrograms(
  language: ShownLanguage,
  programs: readonly ShownProgram[],
  given: { readonly apiSecret: string; readonly around?: string },
): Promise<ReadonlyMap<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-manual-'));
  try {
    await mkdir(join(folder, 'node_modules/@quittance'), { recursive: true });
    await symlink(sdk('node'), join(folder, 'node_modules/@quittance/sdk'));
    await mkdir(join(folder, 'vendor'));
    await writeFile(join(folder, 'vendor/autoload.php'), `<?php require_once '${sdk('php')}/tests/bootstrap.php';`);
    await writeFile(join(folder, 'around.sh'), given.around ?? '');
    const { file, text, command } = drivers[language];
    await writeFile(join(folder, file), text);
    for (const { operation, code } of programs) await writeFile(join(folder, `${operation}.example`), `${code}\n`);
    const [program = '', ...args] = command;
    const env = { PATH: process.env['PATH'], QUITTANCE_SECRET: given.apiSecret };
    const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const written = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
    const [code] = (await once(child, 'close')) as [number | null];
    const said = (await written).join('').trim();
    assert.equal(`${code} ${said}`, '0 ', `${language}: ${said}`);
    return await outputs(folder, programs);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What the shell's programs printed. */
async function outputs(folder: string, programs: readonly ShownProgram[]): Promise<ReadonlyMap<string, string>> {
  const all = programs.map(
    async ({ operation }): Promise<[string, string]> => [
      operation,
      await readFile(join(folder, `${operation}.example.out`), 'utf8').catch(() => ''),
    ],
  );
  return new Map(await Promise.all(all));
}

export type Asked = { readonly method: string; readonly path: string; readonly query: object; readonly body: unknown };

export type Recorder = {
  /** Where the programs of one language ask for one operation. */
  base(language: string, operation: string): string;
  /** The first thing that was asked for, other than what time it is. */
  asked(language: string, operation: string): Asked | undefined;
  stop(): Promise<void>;
};

/** Answers every operation with its example, after checking that the request is signed as the API wants it. */
export async function startRecorder(
  examples: Readonly<Record<string, Example>>,
  { apiKey, apiSecret }: { readonly apiKey: string; readonly apiSecret: string },
): Promise<Recorder> {
  const asked = new Map<string, Asked>();

  async function answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const [, language = '', operation = '', path = ''] =
      /^\/(\w+)\/(\w+)\/api\/v1(\/.*)$/.exec(request.url ?? '') ?? [];
    const body = await textOf(request);
    const { 'x-digest-timestamp': time = '', 'x-digest-signature': signature } = request.headers;
    if (path === '/time' && operation !== 'time') return { status: 200, body: { time: Math.floor(Date.now() / 1000) } };
    if (signature !== undefined) {
      const { pathname } = new URL(path, 'http://recorder');
      const isGood = [path, pathname].some(
        (said) =>
          createHmac('sha256', apiSecret)
            .update(`${said}${String(time)}${request.method}${body}`)
            .digest('hex') === signature,
      );
      if (!isGood || request.headers['x-digest-key'] !== apiKey)
        return { status: 401, body: { errors: ['wrongly signed'] } };
    }
    const { pathname, searchParams } = new URL(path, 'http://recorder');
    const name = `${language} ${operation}`;
    if (!asked.has(name))
      asked.set(name, {
        method: request.method ?? '',
        path: pathname,
        query: Object.fromEntries(searchParams),
        body: body === '' ? undefined : JSON.parse(body),
      });
    return { status: 200, body: lastPage(examples[operation]?.reply) };
  }

  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, body }) => {
        const isText = typeof body === 'string';
        response.writeHead(status, { 'content-type': isText ? 'text/csv' : 'application/json' });
        response.end(isText ? body : JSON.stringify(body));
      },
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    base: (language, operation) => `http://127.0.0.1:${port}/${language}/${operation}`,
    asked: (language, operation) => asked.get(`${language} ${operation}`),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Whoever goes through a list ends there. */
const lastPage = (reply: unknown): unknown =>
  typeof reply === 'object' && reply !== null && 'next' in reply ? { ...reply, next: null } : reply;
