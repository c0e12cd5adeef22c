package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync/common"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync/hook"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/tracing"
	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const annotation = "argocd.argoproj.io/tracking-id"

type reference struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
}

// A tracking is what the annotation of an object says: whose it is, and of which object it was written.
type tracking struct {
	application, group, kind, namespace, name string
}

type everything struct{}

func (everything) IsExcludedResource(string, string, string) bool { return false }

type cluster struct {
	in      input
	config  *rest.Config
	kubectl kube.Kubectl
	scopes  map[schema.GroupKind]bool
	parser  *managedfields.GvkParser
	ignores *ignores
}

func connect(in input) (*cluster, error) {
	config, err := clientcmd.BuildConfigFromFlags("", in.Kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	kubectl := &kube.KubectlCmd{Log: logr.Discard(), Tracer: tracing.NopTracer{}}
	resources, err := kubectl.GetAPIResources(config, true, everything{})
	if err != nil {
		return nil, err
	}
	scopes := map[schema.GroupKind]bool{}
	for _, resource := range resources {
		scopes[resource.GroupKind] = resource.Meta.Namespaced
	}
	ignored, err := newIgnores(in.Ignored)
	if err != nil {
		return nil, err
	}
	return &cluster{in: in, config: config, kubectl: kubectl, scopes: scopes, ignores: ignored}, nil
}

// IsNamespaced is asked by the library.
func (c *cluster) IsNamespaced(kind schema.GroupKind) (bool, error) {
	if namespaced, ok := c.scopes[kind]; ok {
		return namespaced, nil
	}
	return false, fmt.Errorf("%s is not served", kind)
}

// targets returns the objects of the set with their tracking; of several of one name the last is taken.
func (c *cluster) targets() ([]*unstructured.Unstructured, error) {
	found, places := []*unstructured.Unstructured{}, map[kube.ResourceKey]int{}
	for _, raw := range c.in.Objects {
		target := &unstructured.Unstructured{}
		if err := json.Unmarshal(raw, target); err != nil {
			return nil, err
		}
		if !kube.IsCRD(target) {
			if err := c.track(target); err != nil {
				return nil, fmt.Errorf("failed to set app instance tracking info on manifest: %w", err)
			}
		}
		if !kube.IsNamespacedOrUnknown(c, target.GroupVersionKind().GroupKind()) {
			target.SetNamespace("")
		} else if target.GetNamespace() == "" {
			target.SetNamespace(c.in.Namespace)
		}
		key := kube.GetResourceKey(target)
		if place, ok := places[key]; ok {
			found[place] = target
			continue
		}
		places[key] = len(found)
		found = append(found, target)
	}
	return found, nil
}

func (c *cluster) track(target *unstructured.Unstructured) error {
	annotations, err := annotationsOf(target)
	if err != nil {
		kind := target.GroupVersionKind().String()
		return fmt.Errorf("failed to get annotations for %s %s/%s: %w", kind, target.GetNamespace(), target.GetName(), err)
	}
	if annotations == nil {
		annotations = map[string]string{}
	}
	namespace := target.GetNamespace()
	if namespace == "" {
		namespace = c.in.Namespace
	}
	kind := target.GroupVersionKind()
	annotations[annotation] = fmt.Sprintf("%s:%s/%s:%s/%s", c.in.Name, kind.Group, kind.Kind, namespace, target.GetName())
	target.SetAnnotations(annotations)
	return nil
}

// annotationsOf returns the annotations as SetAppInstance reads them: there may be none, but none of them may be null.
func annotationsOf(target *unstructured.Unstructured) (map[string]string, error) {
	value, found, err := unstructured.NestedFieldNoCopy(target.Object, "metadata", "annotations")
	if err != nil || !found || value == nil {
		return nil, err
	}
	annotations, _, err := unstructured.NestedStringMap(target.Object, "metadata", "annotations")
	return annotations, err
}

func trackingOf(live *unstructured.Unstructured) (tracking, bool) {
	parts := strings.SplitN(live.GetAnnotations()[annotation], ":", 3)
	if len(parts) != 3 {
		return tracking{}, false
	}
	group, kind, isKind := strings.Cut(parts[1], "/")
	namespace, name, isName := strings.Cut(parts[2], "/")
	return tracking{parts[0], group, kind, namespace, name}, isKind && isName
}

// managed returns the live objects of the targets, and all others that the Application has applied before.
func (c *cluster) managed(targets []*unstructured.Unstructured) (map[kube.ResourceKey]*unstructured.Unstructured, error) {
	found := map[kube.ResourceKey]*unstructured.Unstructured{}
	for _, target := range targets {
		live, err := c.get(target.GroupVersionKind(), target.GetNamespace(), target.GetName())
		if err != nil {
			return nil, err
		}
		if live != nil {
			found[kube.GetResourceKey(live)] = live
		}
	}
	for _, ref := range c.in.Known {
		kind := schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind)
		key := kube.NewResourceKey(kind.Group, kind.Kind, ref.Namespace, ref.Name)
		if found[key] != nil {
			continue
		}
		live, err := c.get(kind, ref.Namespace, ref.Name)
		if err != nil {
			return nil, err
		}
		if live == nil || len(live.GetOwnerReferences()) > 0 {
			continue
		}
		if id, ok := trackingOf(live); ok && id.application == c.in.Name {
			found[key] = live
		}
	}
	return found, nil
}

func (c *cluster) get(kind schema.GroupVersionKind, namespace, name string) (*unstructured.Unstructured, error) {
	if name == "" {
		return nil, nil
	}
	live, err := c.kubectl.GetResource(context.Background(), c.config, kind, name, namespace)
	if apierrors.IsNotFound(err) || apierrors.IsMethodNotSupported(err) || apierrors.IsInvalid(err) {
		return nil, nil
	}
	if err != nil && strings.Contains(err.Error(), "could not find the requested resource") {
		return nil, nil
	}
	return live, err
}

// collectGarbage lets go of pruned objects and hooks that wait for controllers of Kubernetes: none of them is used.
func (c *cluster) collectGarbage(results []common.ResourceSyncResult, targets []*unstructured.Unstructured) {
	for _, one := range results {
		if one.Status == common.ResultCodePruned {
			key := one.ResourceKey
			c.letGo(schema.GroupVersionKind{Group: key.Group, Version: one.Version, Kind: key.Kind}, key.Namespace, key.Name)
		}
	}
	for _, target := range targets {
		if hook.IsHook(target) {
			namespace := target.GetNamespace()
			if namespace == "" {
				namespace = c.in.Namespace
			}
			c.letGo(target.GroupVersionKind(), namespace, target.GetName())
		}
	}
}

// letGo removes the finalizers of Kubernetes from an object that is deleted.
func (c *cluster) letGo(kind schema.GroupVersionKind, namespace string, name string) {
	live, err := c.get(kind, namespace, name)
	if err != nil || live == nil || live.GetDeletionTimestamp() == nil {
		return
	}
	kept := []string{}
	for _, finalizer := range live.GetFinalizers() {
		if finalizer != metav1.FinalizerDeleteDependents && !strings.HasPrefix(finalizer, "kubernetes.io/") {
			kept = append(kept, finalizer)
		}
	}
	if len(kept) == len(live.GetFinalizers()) {
		return
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"finalizers": kept}})
	if err == nil {
		_, _ = c.kubectl.PatchResource(context.Background(), c.config, kind, name, namespace, types.MergePatchType, patch)
	}
}
