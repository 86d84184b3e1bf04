import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { readSettings } from '../../src/config/settings.ts';
import { checkManifests, readManifests } from '../support/kubernetes.ts';
import type { Json } from '../support/server.ts';

const FOLDER = path.join(import.meta.dirname, '../../deploy/kubernetes');
const read = (name: string): string => readFileSync(path.join(FOLDER, name), 'utf8');

describe('the Kubernetes manifests', () => {
  const kustomization: Json = parse(read('kustomization.yaml'));
  const manifests = readManifests(kustomization.resources.map(read).join('\n---\n'));
  const pod = manifests.get('Deployment').spec.template.spec;
  const [container] = pod.containers;

  test('are valid, belong together and keep to the restricted profile', () => {
    checkManifests(manifests);
    const files = readdirSync(FOLDER).filter((name) => name !== 'kustomization.yaml');
    assert.deepEqual(files.toSorted(), kustomization.resources.toSorted());
    assert.equal(kustomization.images[0].newTag, packageJson.version);
    assert.equal(kustomization.images[0].name, container.image);
  });

  test('have settings that the server accepts', () => {
    const data = manifests.get('ConfigMap').data as Record<string, string>;
    const files = container.env as { name: string; value: string }[];
    assert.deepEqual(
      files.map(({ name, value }) => [name, path.dirname(value)]),
      [
        ['LATCHKEY_DATABASE_URL_FILE', '/run/secrets/latchkey'],
        ['LATCHKEY_MASTER_KEY_FILE', '/run/secrets/latchkey'],
      ],
    );
    const warnings: string[] = [];
    const settings = readSettings(data, {}, (warning) => warnings.push(warning));
    assert.deepEqual(warnings, []);
    const delaySeconds = container.lifecycle.preStop.sleep.seconds;
    const stopSeconds = settings.SHUTDOWN_TIMEOUT_MS / 1_000 + delaySeconds;
    assert.ok(pod.terminationGracePeriodSeconds > stopSeconds);
  });

  test('are rejected when they are wrong', () => {
    const deployment = read('deployment.yaml');
    for (const [from, to] of [
      ['containerPort: 8787', 'containerPort: http'],
      ['drop: [ALL]', 'drop: ALL'],
      ['        - name: latchkey\n          image', '        - image'],
    ] as const) {
      assert.ok(deployment.includes(from));
      assert.throws(() => readManifests(deployment.replace(from, to)), from);
    }
    for (const [from, to] of [
      ['allowPrivilegeEscalation: false', 'allowPrivilegeEscalation: true'],
      ['runAsNonRoot: true', 'runAsNonRoot: false'],
      ['automountServiceAccountToken: false', 'automountServiceAccountToken: true'],
    ] as const) {
      const changed = new Map([...manifests, ...readManifests(deployment.replace(from, to))]);
      assert.throws(() => checkManifests(changed), from);
    }
  });
});
