import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why there is no small disk here, or `false` if there is. */
export const noSmallDisk =
  process.platform === 'linux' && process.getuid?.() === 0 ? false : 'only root on Linux may mount a small disk';

/** A new folder that is a disk of `kilobytes`, until the test `t` ends; undefined if it may not be mounted. */
export function smallDisk(t, kilobytes) {
  const disk = mkdtempSync(join(tmpdir(), 'small-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', disk]);
  t.after(() => {
    if (status === 0) spawnSync('umount', [disk]);
    rmdirSync(disk);
  });
  return status === 0 ? disk : undefined;
}
