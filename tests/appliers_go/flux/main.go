// Command flux applies a set of objects once, as the kustomize-controller of Flux 2 does in one reconciliation of a
// Kustomization: same library, same options (v1.9.6 of the controller). It reads one JSON document from standard input
// and writes one to standard output.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"time"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/cli-utils/pkg/object"
	"github.com/fluxcd/pkg/ssa"
	"github.com/fluxcd/pkg/ssa/jsondiff"
	"github.com/fluxcd/pkg/ssa/normalize"
	"github.com/fluxcd/pkg/ssa/utils"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

const (
	controller = "kustomize-controller"
	group      = "kustomize.toolkit.fluxcd.io"
)

// A reference is an entry of status.inventory of a Kustomization.
type reference struct {
	ID      string `json:"id"`
	Version string `json:"v"`
}

type input struct {
	Kubeconfig string            `json:"kubeconfig"`
	Name       string            `json:"name"`
	Namespace  string            `json:"namespace"`
	Force      bool              `json:"force"`
	Prune      bool              `json:"prune"`
	Objects    []json.RawMessage `json:"objects"`
	Inventory  []reference       `json:"inventory"`
	Common     *common           `json:"common"`
	Ignore     []rule            `json:"ignore"`
}

// common is spec.commonMetadata of a Kustomization.
type common struct {
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
}

// A rule is an entry of spec.ignore of a Kustomization.
type rule struct {
	Paths  []string           `json:"paths"`
	Target *jsondiff.Selector `json:"target"`
}

type change struct {
	Subject string `json:"subject"`
	Action  string `json:"action"`
}

type output struct {
	Error     string      `json:"error"`
	Applied   []change    `json:"applied"`
	Pruned    []change    `json:"pruned"`
	Inventory []reference `json:"inventory"`
}

func main() {
	var in input
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		fail(err)
	}
	out, err := reconcile(in)
	if err != nil {
		fail(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// reconcile returns an error only where the program itself is at fault; what the controller would say is in the output.
func reconcile(in input) (output, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 12*time.Second)
	defer cancel()
	manager, err := newManager(in.Kubeconfig)
	if err != nil {
		return output{}, err
	}
	objects, err := utils.ReadObjects(bytes.NewReader(bytes.Join(raw(in.Objects), []byte("\n---\n"))))
	if err != nil {
		return output{}, err
	}
	manager.SetOwnerLabels(objects, in.Name, in.Namespace)
	out := output{Inventory: in.Inventory}
	if err := normalize.UnstructuredList(objects); err != nil {
		out.Error = err.Error()
		return out, nil
	}
	if in.Common != nil {
		utils.SetCommonMetadata(objects, in.Common.Labels, in.Common.Annotations)
	}
	changes := ssa.NewChangeSet()
	if len(objects) > 0 {
		changes, err = manager.ApplyAllStaged(ctx, objects, applyOptions(in.Force, in.Ignore))
		out.Applied = changed(changes)
		if err != nil {
			out.Error = err.Error()
			return out, nil
		}
	}
	out.Inventory = inventory(changes)
	if !in.Prune {
		return out, nil
	}
	stale, err := difference(in.Inventory, out.Inventory)
	if err != nil {
		return output{}, err
	}
	pruned, err := manager.DeleteAll(ctx, stale, deleteOptions(manager, in))
	out.Pruned = changed(pruned)
	if err != nil {
		out.Error = err.Error()
	}
	return out, nil
}

func raw(objects []json.RawMessage) [][]byte {
	found := make([][]byte, len(objects))
	for i, object := range objects {
		found[i] = object
	}
	return found
}

func newManager(kubeconfig string) (*ssa.ResourceManager, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	http, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	mapper, err := apiutil.NewDynamicRESTMapper(config, http)
	if err != nil {
		return nil, err
	}
	kube, err := client.New(config, client.Options{HTTPClient: http, Mapper: mapper})
	if err != nil {
		return nil, err
	}
	poller := polling.NewStatusPoller(kube, mapper, polling.Options{})
	manager := ssa.NewResourceManager(kube, poller, ssa.Owner{Field: controller, Group: group})
	// The controller checks four objects at a time. Here it is one, so that what has happened by the time of a failure
	// is always the same.
	manager.SetConcurrency(1)
	return manager, nil
}

func applyOptions(force bool, ignore []rule) ssa.ApplyOptions {
	options := ssa.DefaultApplyOptions()
	options.Force = force
	// The controller waits longer, for the same end: nothing here becomes ready or is deleted later than at once.
	options.WaitInterval, options.WaitTimeout = 100*time.Millisecond, 4*time.Second
	options.ExclusionSelector = map[string]string{group + "/reconcile": "disabled", group + "/ssa": "Ignore"}
	options.IfNotPresentSelector = map[string]string{group + "/ssa": "IfNotPresent"}
	options.ForceSelector = map[string]string{group + "/force": "enabled"}
	for _, one := range ignore {
		found := jsondiff.IgnoreRule{Paths: one.Paths, Selector: one.Target}
		options.DriftIgnoreRules = append(options.DriftIgnoreRules, found)
	}
	options.Cleanup = ssa.ApplyCleanupOptions{
		Annotations: []string{
			"kubectl.kubernetes.io/last-applied-configuration",
			group + "/checksum",
			"fluxcd.io/sync-checksum",
		},
		Labels: []string{"fluxcd.io/sync-gc-mark"},
		FieldManagers: []ssa.FieldManager{
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationApply},
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: "before-first-apply", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: controller, OperationType: metav1.ManagedFieldsOperationUpdate},
		},
		Exclusions: map[string]string{group + "/ssa": "Merge"},
	}
	return options
}

func deleteOptions(manager *ssa.ResourceManager, in input) ssa.DeleteOptions {
	return ssa.DeleteOptions{
		PropagationPolicy: metav1.DeletePropagationBackground,
		Inclusions:        manager.GetOwnerLabels(in.Name, in.Namespace),
		Exclusions: map[string]string{
			group + "/prune":     "disabled",
			group + "/reconcile": "disabled",
			group + "/ssa":       "Ignore",
		},
	}
}

func changed(set *ssa.ChangeSet) []change {
	found := []change{}
	for _, entry := range set.Entries {
		found = append(found, change{entry.Subject, string(entry.Action)})
	}
	return found
}

func inventory(set *ssa.ChangeSet) []reference {
	found := []reference{}
	for _, entry := range set.Entries {
		found = append(found, reference{entry.ObjMetadata.String(), entry.GroupVersion})
	}
	return found
}

// difference returns what is in the inventory before and not in the one after, in the order of the library.
func difference(before, after []reference) ([]*unstructured.Unstructured, error) {
	kept := map[string]bool{}
	for _, entry := range after {
		kept[entry.ID] = true
	}
	stale := []*unstructured.Unstructured{}
	for _, entry := range before {
		if kept[entry.ID] {
			continue
		}
		id, err := object.ParseObjMetadata(entry.ID)
		if err != nil {
			return nil, err
		}
		found := &unstructured.Unstructured{}
		found.SetGroupVersionKind(schema.GroupVersionKind{
			Group: id.GroupKind.Group, Version: entry.Version, Kind: id.GroupKind.Kind,
		})
		found.SetName(id.Name)
		found.SetNamespace(id.Namespace)
		stale = append(stale, found)
	}
	sort.Sort(ssa.SortableUnstructureds(stale))
	return stale, nil
}
