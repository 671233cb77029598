/**
 * Stands between a process and PostgreSQL and understands just enough of the wire protocol to count statements: a
 * statement ends with Sync or is a simple Query, and nothing before that can be committed. At a chosen statement it
 * stops the traffic, either before PostgreSQL hears of it or after PostgreSQL has done it but before anybody is told.
 * It can also be cut, refuse connections, and be mended.
 */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The statement is chosen by its number, or as the first one whose text contains `statement`. */
export type Halt = { readonly statement: number | string; readonly moment: 'before' | 'after' };

export type PostgresProxy = {
  readonly url: string;
  /** Statements that have come by since the last `haltAt`. */
  readonly statements: number;
  /** Counts anew. Resolves when the traffic was stopped there; never, if fewer statements come. */
  haltAt(halt: Halt): Promise<void>;
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
  let halt: (Halt & { reached: () => void }) | undefined;
  let isHalted = false;
  let isCut = false;

  function serve(client: Socket): void {
    if (isCut) return void client.resetAndDestroy();
    const server = connect(Number(target.port || 5432), target.hostname);
    const gone = Promise.withResolvers<void>();
    const link = { client, server, gone: gone.promise };
    links.add(link);
    client.setNoDelay(true);
    server.setNoDelay(true);
    let sent = 0;
    let answered = -1; // The first ReadyForQuery answers the start-up.
    let awaited: number | undefined;
    let isChosen = false;

    const fromClient = frontendMessages((message, endsStatement) => {
      if (isHalted) return;
      if (typeof halt?.statement === 'string') isChosen ||= message.includes(halt.statement);
      if (endsStatement) {
        sent += 1;
        statements += 1;
        if (halt && (isChosen || halt.statement === statements)) {
          isHalted = true;
          if (halt.moment === 'before') return halt.reached();
          awaited = sent;
        }
      }
      server.write(message);
    });
    const fromServer = backendMessages((message, endsAnswer) => {
      if (endsAnswer) answered += 1;
      if (awaited !== undefined && answered === awaited) halt?.reached();
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
  return {
    url: url.href,
    get statements() {
      return statements;
    },
    haltAt(at) {
      statements = 0;
      isHalted = false;
      return new Promise((resolve) => {
        halt = { ...at, reached: resolve };
      });
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

/** After the start-up message, which has no type, every message is a type, a length that includes itself, and data. */
function frontendMessages(onMessage: (message: Buffer, endsStatement: boolean) => void): (chunk: Buffer) => void {
  let isStarting = true;
  return splitter(
    () => (isStarting ? 0 : 1),
    (message) => {
      const type = isStarting ? '' : String.fromCharCode(message[0] ?? 0);
      isStarting = false;
      onMessage(message, type === 'S' || type === 'Q');
    },
  );
}

const backendMessages = (onMessage: (message: Buffer, endsAnswer: boolean) => void): ((chunk: Buffer) => void) =>
  splitter(
    () => 1,
    (message) => onMessage(message, message[0] === 'Z'.charCodeAt(0)),
  );

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
