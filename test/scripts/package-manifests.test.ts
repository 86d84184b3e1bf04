import assert from 'node:assert/strict';
import { test } from 'node:test';
import rootManifest from '../../package.json' with { type: 'json' };
import scriptsManifest from '../../scripts/package.json' with { type: 'json' };
import conformanceManifest from '../conformance/package.json' with { type: 'json' };
import testManifest from '../package.json' with { type: 'json' };

test('packages of tests and checks have the versions of the server', () => {
  const server: Record<string, string> = {
    ...rootManifest.dependencies,
    ...rootManifest.devDependencies,
  };
  for (const { name, dependencies } of [testManifest, conformanceManifest, scriptsManifest]) {
    for (const [dependency, version] of Object.entries(dependencies)) {
      if (!Object.hasOwn(server, dependency)) continue;
      assert.equal(version, server[dependency], `${dependency} in ${name}`);
    }
  }
});

test('all versions are exact', () => {
  const all = [rootManifest, testManifest, conformanceManifest, scriptsManifest].flatMap(
    ({ dependencies }) => Object.entries(dependencies),
  );
  for (const [name, version] of all) {
    assert.match(version, /^(?:npm:[a-z-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/, name);
  }
});
