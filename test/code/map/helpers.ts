/** Maps of temporary trees, with their counters. */
import { runMap } from '../../../src/tools/shared/map-tool.js';
import { type Bench, makeBench } from '../../tools/context.js';

export interface MapBench extends Bench {
  map(options?: Partial<Parameters<typeof runMap>[0]>): ReturnType<typeof runMap>;
  /** Paths of the blocks, in their order. */
  order(options?: Partial<Parameters<typeof runMap>[0]>): Promise<string[]>;
}

export async function makeMapBench(options: Parameters<typeof makeBench>[0] = {}): Promise<MapBench> {
  const bench = await makeBench(options);
  const map: MapBench['map'] = (more = {}) => runMap({ dir: '.', budget: 8000, focus: [], ...more }, bench.context);
  return {
    ...bench,
    map,
    async order(more) {
      const { output } = await map(more);
      return output
        .split('\n')
        .slice(1)
        .filter((line) => !/^(?: |\(|\.\.\.|…)/.test(line));
    },
  };
}
