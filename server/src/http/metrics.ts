/** Numbers about the process in Prometheus' text format. So small that we need no library. */
type Labels = Readonly<Record<string, string | number>>;

export type Counter = { add(labels?: Labels, count?: number): void };
export type Histogram = { observe(labels: Labels, value: number): void };
/** A bigint is written with all its digits. */
export type GaugeReader = () => readonly { labels?: Labels; value: number | bigint }[] | number;

export type Metrics = {
  counter(name: string, help: string): Counter;
  histogram(name: string, help: string, bounds: readonly number[]): Histogram;
  /** Asked when the metrics are read. A gauge that throws is left out: it must not hide the others. */
  gauge(name: string, help: string, read: () => ReturnType<GaugeReader> | Promise<ReturnType<GaugeReader>>): void;
  render(): Promise<string>;
};

/** From half a millisecond to ten seconds. */
export const requestSecondsBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(): Metrics {
  const families: (() => Promise<string[]>)[] = [];
  const family = (name: string, help: string, type: string, lines: () => Promise<string[]> | string[]): void => {
    families.push(async () => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...(await lines())]);
  };

  return {
    counter(name, help) {
      const values = new Map<string, number>();
      family(name, help, 'counter', () => Array.from(values, ([labels, value]) => `${name}${braced(labels)} ${value}`));
      return {
        add(labels = {}, count = 1) {
          const key = written(labels);
          values.set(key, (values.get(key) ?? 0) + count);
        },
      };
    },

    histogram(name, help, bounds) {
      const series = new Map<string, { buckets: number[]; sum: number; count: number }>();
      family(name, help, 'histogram', () =>
        Array.from(series).flatMap(([labels, { buckets, sum, count }]) => [
          ...bounds.map((bound, index) => `${name}_bucket${braced(labels, `le="${bound}"`)} ${buckets[index]}`),
          `${name}_bucket${braced(labels, 'le="+Inf"')} ${count}`,
          `${name}_sum${braced(labels)} ${sum}`,
          `${name}_count${braced(labels)} ${count}`,
        ]),
      );
      return {
        observe(labels, value) {
          const key = written(labels);
          let entry = series.get(key);
          if (!entry) series.set(key, (entry = { buckets: bounds.map(() => 0), sum: 0, count: 0 }));
          for (let index = bounds.length - 1; index >= 0 && value <= (bounds[index] as number); index -= 1)
            entry.buckets[index] = (entry.buckets[index] as number) + 1;
          entry.sum += value;
          entry.count += 1;
        },
      };
    },

    gauge(name, help, read) {
      family(name, help, 'gauge', async () => {
        try {
          const values = await read();
          if (typeof values === 'number') return [`${name} ${values}`];
          return values.map(({ labels = {}, value }) => `${name}${braced(written(labels))} ${value}`);
        } catch {
          return [];
        }
      });
    },

    async render() {
      const texts = await Promise.all(families.map((lines) => lines()));
      return `${texts.flat().join('\n')}\n`;
    },
  };
}

function written(labels: Labels): string {
  let text = '';
  for (const name in labels) text += `${text === '' ? '' : ','}${name}="${escaped(String(labels[name]))}"`;
  return text;
}

const escaped = (value: string): string =>
  /[\\"\n]/.test(value) ? value.replace(/[\\"\n]/g, (c) => (c === '\n' ? '\\n' : `\\${c}`)) : value;

const braced = (labels: string, more = ''): string => {
  const all = labels && more ? `${labels},${more}` : labels || more;
  return all === '' ? '' : `{${all}}`;
};
