/** The renderer against the emulator, many plays. */
import { describe, it } from 'vitest';
import { againstEmulator, againstLateEmulator } from '../ui/screen/play.js';

describe('the screen, many plays', () => {
  it('scrollback holds each printed line once, the live region is what was shown', () => againstEmulator(1000), 600_000);

  it('frames drawn for a width that is gone lose no printed line', () => againstLateEmulator(1000), 600_000);
});
