/** Which route a request is for. */
import findMyWay from 'find-my-way';

export type Routed<T> = { readonly path: string; readonly methods: readonly string[]; readonly value: T };

export type Match<T> = {
  readonly value: T;
  /** The path of the route, with the names of its parameters. */
  readonly pattern: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
};

export type Router<T> = {
  /** `url` as it was received, with its query string. */
  find(method: string, url: string): Match<T>;
  /** Which methods a path has; undefined for a path that does not exist. */
  methodsOf(path: string): ReadonlySet<string> | undefined;
};

/** Upper and lower case in paths are the same, and so is a slash at the end. A HEAD is a GET whose body is not sent. */
export function createRouter<T>(
  routes: readonly Routed<T>[],
  otherwise: { readonly unknown: T; readonly unreadable: T },
): Router<T> {
  const router = findMyWay({
    caseSensitive: false,
    ignoreTrailingSlash: true,
    maxParamLength: 200,
    onBadUrl: () => undefined, // So a path that cannot be decoded is found as a route without a store.
  });
  const methodsByPath = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  for (const { path, methods, value } of routes) {
    router.on(methods as findMyWay.HTTPMethod[], path, () => undefined, { path, value });
    const known = methodsByPath.get(path) ?? { pattern: patternOf(path), methods: new Set() };
    for (const method of methods) known.methods.add(method);
    methodsByPath.set(path, known);
  }
  const nowhere = { pattern: 'none', params: {}, query: {} };

  return {
    find(method, url) {
      const match = router.find((method === 'HEAD' ? 'GET' : method) as findMyWay.HTTPMethod, url);
      if (!match) return { ...nowhere, value: otherwise.unknown };
      const found = match.store as Pick<Routed<T>, 'path' | 'value'> | null;
      if (!found) return { ...nowhere, value: otherwise.unreadable };
      const params = match.params as Record<string, string>;
      return { value: found.value, pattern: found.path, params, query: match.searchParams };
    },
    // The pattern of a `*` also matches paths that the router does not send there, such as the folder itself.
    methodsOf: (path) => [...methodsByPath.values()].find(({ pattern }) => pattern.test(path))?.methods,
  };
}

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.+^$(){}|[\]\\]/g, '\\$&')
      .replace(/:\w+/g, '[^/]+')
      .replace(/\*$/, '.*')}/?$`,
    'i',
  );
