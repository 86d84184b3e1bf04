import assert from 'node:assert/strict';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service, ServiceAccount } from 'kubernetes-models/v1';
import { parseAllDocuments } from 'yaml';
import type { Json } from './server.ts';

const MODELS = {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  PodDisruptionBudget,
  Service,
  ServiceAccount,
};

/**
 * Reads manifests and validates them against the schemas of Kubernetes.
 * @param text YAML with one or more documents
 * @returns them by kind; each kind occurs once
 */
export function readManifests(text: string): Map<string, Json> {
  const found = new Map<string, Json>();
  for (const document of parseAllDocuments(text)) {
    assert.deepEqual(document.errors, []);
    const manifest: Json = document.toJS();
    const kind = String(manifest.kind);
    assert.ok(Object.hasOwn(MODELS, kind), `there is no model of ${kind}`);
    const model = new MODELS[kind as keyof typeof MODELS](manifest);
    model.validate();
    assert.equal(manifest.apiVersion, model.apiVersion);
    assert.equal(found.has(kind), false, `${kind} occurs twice`);
    found.set(kind, manifest);
  }
  return found;
}

/** Checks the relations between the manifests and the restricted profile of the pod security standards. */
export function checkManifests(manifests: ReadonlyMap<string, Json>): void {
  const deployment = manifests.get('Deployment');
  const { template, selector } = deployment.spec;
  const pod = template.spec;
  const [container] = pod.containers;
  const labels = template.metadata.labels as Record<string, string>;
  for (const selected of [
    selector.matchLabels,
    manifests.get('Service').spec.selector,
    manifests.get('PodDisruptionBudget').spec.selector.matchLabels,
  ]) {
    assert.deepEqual(selected, labels);
  }
  assert.equal(
    manifests.get('HorizontalPodAutoscaler').spec.scaleTargetRef.name,
    deployment.metadata.name,
  );
  assert.equal(pod.serviceAccountName, manifests.get('ServiceAccount').metadata.name);
  assert.equal(container.envFrom[0].configMapRef.name, manifests.get('ConfigMap').metadata.name);
  assert.equal(manifests.get('Service').spec.ports[0].targetPort, container.ports[0].name);
  // The autoscaler would fight with a number of replicas.
  assert.equal(deployment.spec.replicas, undefined);

  // https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
  assert.deepEqual(
    [pod.securityContext.runAsNonRoot, pod.securityContext.seccompProfile],
    [true, { type: 'RuntimeDefault' }],
  );
  assert.deepEqual(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  assert.equal(pod.automountServiceAccountToken, false);
  assert.equal(pod.enableServiceLinks, false);
  for (const { name, secret, emptyDir } of pod.volumes) {
    assert.ok(secret !== undefined || emptyDir !== undefined, name);
    assert.ok(
      container.volumeMounts.some((mount: Json) => mount.name === name),
      name,
    );
  }
}
