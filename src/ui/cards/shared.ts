/** What all cards get: the texts, colours, and how many lines they may take. */
import type { Paint } from '../paint.js';
import type { Text } from '../text/index.js';

export interface CardTools {
  readonly text: Text;
  readonly paint: Paint;
  /** More than one line may be shown. */
  readonly verbose: boolean;
}
