/**
 * Stands between a process and PostgreSQL and understands just enough of the wire protocol to count statements: a
 * statement ends with Sync or is a simple Query, and nothing before that can be committed. At a chosen statement it
 * stops the traffic, either before PostgreSQL hears of it or after PostgreSQL has done it but before anybody is told.
 * It can also be cut, refuse connections, and be mended.
 *
 * What somebody finds who goes on after a death depends on what was committed and on what happened outside, and on
 * nothing else: not on what was only read, nor on what was rolled back. So the traffic can also be stopped at every
 * point at which one of the two differs from the point before: when the process has begun and done nothing, after each
 * commit of a change before anybody is told of it, and, where something happened outside since then, before the next
 * statement. That is every death there is, each of them once.
 */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The statement is chosen by its number, or as the first one whose text contains `statement`. */
type HaltAtStatement = { readonly statement: number | string; readonly moment: 'before' | 'after' };
/** 1 is before the first statement. */
type HaltAtPoint = { readonly point: number };
export type Halt = HaltAtStatement | HaltAtPoint;

export type PostgresProxy = {
  readonly url: string;
  /** Statements that have come by since the last `haltAt`. */
  readonly statements: number;
  /** Points, likewise. */
  readonly points: number;
  /** Counts anew. Resolves when the traffic was stopped there; never, if fewer statements or points come. */
  haltAt(halt: Halt): Promise<void>;
  /** Something happened outside the database, or is about to. */
  noteMove(): void;
  /** Traffic goes on after a halt; what came by in between is lost, as are the connections it was lost on. */
  thaw(): void;
  /** Ends what is open and resolves when PostgreSQL has forgotten it too, with its locks. New connections are served. */
  hangUp(): Promise<void>;
  /** By which PostgreSQL knows the connections through this proxy. */
  ports(): number[];
  /** From now on, connections are refused, and those there are break. */
  cut(): Promise<void>;
  mend(): void;
  close(): Promise<void>;
};

type Link = { readonly client: Socket; readonly server: Socket; readonly gone: Promise<void> };

export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const links = new Set<Link>();
  let statements = 0;
  let points = 0;
  let hasMoved = true;
  let halt: { readonly at: Halt; reached(): void } | undefined;
  let isHalted = false;
  let isCut = false;

  /** True: this is the one to stop at. */
  function pass(): boolean {
    points += 1;
    hasMoved = false;
    return halt !== undefined && 'point' in halt.at && halt.at.point === points;
  }

  function isChosen(statement: Statement): boolean {
    if (halt === undefined || 'point' in halt.at) return false;
    const { statement: wanted } = halt.at;
    return typeof wanted === 'number' ? wanted === statements : statement.text.includes(wanted);
  }

  function serve(client: Socket): void {
    if (isCut) return void client.resetAndDestroy();
    const server = connect(Number(target.port || 5432), target.hostname);
    const gone = Promise.withResolvers<void>();
    const link = { client, server, gone: gone.promise };
    links.add(link);
    client.setNoDelay(true);
    server.setNoDelay(true);
    const inFlight: Statement[] = [];
    let awaited: Statement | undefined;
    let hasChanges = false; // In the transaction that is open.

    const fromClient = frontendMessages((message, statement) => {
      if (isHalted) return;
      if (statement) {
        inFlight.push(statement);
        statements += 1;
        const isHere = hasMoved && pass();
        const isStatement = isChosen(statement);
        isHalted = isHere || isStatement;
        if (isHere || (isStatement && !isAfter(halt?.at))) return halt?.reached();
        if (isStatement) awaited = statement;
      }
      server.write(message);
    });
    const fromServer = backendMessages((message, answer) => {
      const answered = answer && inFlight.shift();
      if (answered) {
        hasChanges = (hasChanges || mayChange(answered, answer.tags)) && answer.status !== 'E';
        const isCommitted = hasChanges && answer.status === 'I' && !answer.tags.includes('ROLLBACK');
        if (answer.status === 'I') hasChanges = false;
        const isHere = isCommitted && !isHalted && pass();
        isHalted ||= isHere;
        if (isHere || awaited === answered) halt?.reached();
      }
      if (!isHalted) client.write(message);
    });
    client.on('data', fromClient);
    server.on('data', fromServer);
    client.on('error', () => undefined);
    server.on('error', () => undefined);
    client.on('close', () => server.end());
    server.on('close', () => {
      client.destroy();
      links.delete(link);
      gone.resolve();
    });
  }

  async function hangUp(): Promise<void> {
    const open = [...links];
    for (const { client } of open) client.destroy();
    await Promise.all(open.map((link) => link.gone));
  }

  const listener = createServer(serve);
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((listener.address() as AddressInfo).port);
  url.search = ''; // Not past us, through PostgreSQL's own socket.
  return {
    url: url.href,
    get statements() {
      return statements;
    },
    get points() {
      return points;
    },
    haltAt(at) {
      statements = 0;
      points = 0;
      hasMoved = true;
      isHalted = false;
      return new Promise((resolve) => {
        halt = { at, reached: resolve };
      });
    },
    noteMove() {
      hasMoved = true;
    },
    thaw() {
      halt = undefined;
      isHalted = false;
      for (const { client } of links) client.destroy();
    },
    async hangUp() {
      await hangUp();
      halt = undefined;
      isHalted = false;
    },
    ports: () => [...links].flatMap(({ server }) => server.localPort ?? []),
    cut() {
      isCut = true;
      return hangUp();
    },
    mend() {
      isCut = false;
    },
    async close() {
      await hangUp();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

const isAfter = (halt: Halt | undefined): boolean => halt !== undefined && 'moment' in halt && halt.moment === 'after';

type Statement = { readonly text: string };
type Answer = { readonly tags: readonly string[]; readonly status: string };

/** Unless it certainly did not: it says itself that it changed no row, or only read. */
function mayChange({ text }: Statement, tags: readonly string[]): boolean {
  const [tag] = tags;
  if (tag === undefined) return false; // It failed.
  if (tags.length > 1 || /^\s*with\b/i.test(text)) return changing.test(text.replaceAll(locking, ''));
  if (/^(BEGIN|COMMIT|ROLLBACK|SET|SHOW|LISTEN|INSERT 0 0|UPDATE 0|DELETE 0)$/.test(tag)) return false;
  return !tag.startsWith('SELECT') || changing.test(text.replaceAll(locking, ''));
}
const changing = /\b(insert|update|delete|merge|nextval|setval|truncate|create|alter|drop)\b/i;
const locking = /\bfor (no key )?update\b/gi;

/**
 * After the start-up message, which has no type, every message is a type, a length that includes itself, and data. A
 * statement is told with its last message: its text came when it was prepared, now or long ago.
 */
function frontendMessages(onMessage: (message: Buffer, ended?: Statement) => void): (chunk: Buffer) => void {
  const prepared = new Map<string, string>();
  let isStarting = true;
  let text = '';
  return splitter(
    () => (isStarting ? 0 : 1),
    (message) => {
      const type = isStarting ? '' : String.fromCharCode(message[0] ?? 0);
      isStarting = false;
      const [first = '', second = ''] = message.subarray(5).toString('latin1').split('\0', 2);
      if (type === 'P') prepared.set(first, second);
      if (type === 'P') text = second;
      if (type === 'B') text = prepared.get(second) ?? '';
      if (type === 'Q') text = first;
      if (type === 'S' || type === 'Q') onMessage(message, { text });
      else onMessage(message);
    },
  );
}

/** An answer is told with its last message. */
function backendMessages(onMessage: (message: Buffer, ended?: Answer) => void): (chunk: Buffer) => void {
  let tags: string[] = [];
  return splitter(
    () => 1,
    (message) => {
      const type = String.fromCharCode(message[0] ?? 0);
      if (type === 'C') tags.push(message.subarray(5, -1).toString('latin1'));
      if (type !== 'Z') return onMessage(message);
      onMessage(message, { tags, status: String.fromCharCode(message[5] ?? 0) });
      tags = [];
    },
  );
}

function splitter(lengthAt: () => number, onMessage: (message: Buffer) => void): (chunk: Buffer) => void {
  let buffered = Buffer.alloc(0);
  return (chunk) => {
    buffered = Buffer.concat([buffered, chunk]);
    for (;;) {
      const header = lengthAt();
      if (buffered.length < header + 4) return;
      const end = header + buffered.readInt32BE(header);
      if (buffered.length < end) return;
      const message = buffered.subarray(0, end);
      buffered = buffered.subarray(end);
      onMessage(message);
    }
  };
}
