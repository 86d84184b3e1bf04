import { test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { crash } from './crash/crash.ts';
import { Random } from './random.ts';

const KILLS = 1;
const MOST_ANSWERS = 150;
// A tenth of a second is promised, and proven where nothing else runs; here other tests hold the thread up.
const MOST_LOSS_MS = 3_000;

onEachDatabase((database) => {
  test('kill -9 under all kinds of writes loses nothing that was answered', async (t) => {
    const chance = new Random();
    t.diagnostic(`seed ${chance.seed}`);
    await crash(t, {
      database,
      chance,
      kills: KILLS,
      mostAnswers: MOST_ANSWERS,
      earlyDeathsPercent: 0,
      killsPerCheck: KILLS,
      isPatient: false,
      mostLossMs: MOST_LOSS_MS,
      progress: (line) => t.diagnostic(line),
    });
  });
});
