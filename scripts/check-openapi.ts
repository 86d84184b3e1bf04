import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';

/** Checks the OpenAPI document with the rules `spec` of Redocly and `spectral:oas`, warnings included. */
const FILE = path.join(import.meta.dirname, '../docs/openapi.json');

const source = readFileSync(FILE, 'utf8');

const config = await createConfig({ extends: ['spec'] });
const redocly = await lintFromString({ source, absoluteRef: FILE, config });

const spectral = new spectralCore.Spectral();
// The declared type of the rules is stricter than the one that they must have.
const oas = spectralRulesets.oas as RulesetDefinition;
spectral.setRuleset({ extends: [[oas, 'recommended']] });
const findings = await spectral.run(JSON.parse(source) as Record<string, unknown>);

const problems = [
  ...redocly.map(
    ({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`,
  ),
  ...findings.map(({ code, message, path: at }) => `${code} ${at.join('/')}: ${message}`),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exit(1);
process.stdout.write('docs/openapi.json follows the rules of Redocly and Spectral\n');
