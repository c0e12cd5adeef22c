// Command argocd syncs a set of objects once, as the application controller of Argo CD 3 does in one operation of an
// Application: same library, same options. It reads one JSON document from standard input and writes one to standard
// output.
//
// Every object that is not suspended is taken for healthy as soon as it is there, and objects that wait for their dependents are let go: that
// is what controllers do in a cluster that has some.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/diff"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/health"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync/common"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube"
	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const (
	manager         = "argocd-controller"
	limit           = 20 * time.Second
	waits           = 4
	background      = "PrunePropagationPolicy=background"
	createNamespace = "CreateNamespace=true"
	incomparable    = "ComparisonError: "
)

type input struct {
	Kubeconfig string            `json:"kubeconfig"`
	Name       string            `json:"name"`
	Namespace  string            `json:"namespace"`
	Prune      bool              `json:"prune"`
	Options    []string          `json:"options"`
	Objects    []json.RawMessage `json:"objects"`
	// Known names the objects among which those of the Application are found; the controller watches all there are.
	Known []reference `json:"known"`
	// Ignored is spec.ignoreDifferences of the Application.
	Ignored []ignoreRule `json:"ignored"`
	// Project is spec of the AppProject of the Application, if it is not the default one.
	Project *project `json:"project"`
}

type result struct {
	Subject string `json:"subject"`
	Status  string `json:"status"`
	Message string `json:"message"`
}

type output struct {
	Phase   string   `json:"phase"`
	Message string   `json:"message"`
	Results []result `json:"results"`
}

func main() {
	// The library names its requests, and so the manager of what it creates, after the program.
	os.Args[0] = "argocd-application-controller"
	var in input
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		fail(err)
	}
	// What waits inside the library for something that never happens cannot be stopped, only left.
	time.AfterFunc(limit, func() { finish(output{Phase: "TimedOut", Results: []result{}}) })
	cluster, err := connect(in)
	if err != nil {
		fail(err)
	}
	out, err := cluster.operation()
	if err != nil {
		fail(err)
	}
	finish(out)
}

func finish(out output) {
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		fail(err)
	}
	os.Exit(0)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func (i input) has(option string) bool {
	return slices.Contains(i.Options, option)
}

// operation does the steps of a sync until it ends, each of them with what is live by then. One that waits for what
// does not happen is still running in the end.
func (c *cluster) operation() (output, error) {
	if c.in.Project != nil {
		if err := c.in.Project.permitsApplication(c.in.Namespace); err != nil {
			return output{Phase: string(common.OperationError), Message: "InvalidSpecError: " + err.Error(), Results: []result{}}, nil
		}
	}
	targets, err := c.targets()
	if err != nil {
		return output{Phase: string(common.OperationError), Message: incomparable + err.Error(), Results: []result{}}, nil
	}
	state, idle := output{}, 0
	var results []common.ResourceSyncResult
	var phase common.OperationPhase
	var message string
	began := metav1.Now()
	for idle < waits {
		before := fmt.Sprint(phase, message, results)
		phase, message, results, err = c.step(targets, phase, message, results, began)
		if err != nil {
			return output{}, err
		}
		c.collectGarbage(results, targets)
		if phase.Completed() {
			break
		}
		if idle++; before != fmt.Sprint(phase, message, results) {
			idle = 0
		}
	}
	state.Phase, state.Message, state.Results = string(phase), message, []result{}
	for _, one := range results {
		key := one.ResourceKey
		subject := strings.Join([]string{key.Group, key.Kind, key.Namespace, key.Name}, "/")
		state.Results = append(state.Results, result{subject, string(one.Status), one.Message})
	}
	sort.Slice(state.Results, func(i, j int) bool { return state.Results[i].Subject < state.Results[j].Subject })
	return state, nil
}

func (c *cluster) step(targets []*unstructured.Unstructured, phase common.OperationPhase, message string, results []common.ResourceSyncResult, began metav1.Time) (common.OperationPhase, string, []common.ResourceSyncResult, error) {
	copies := make([]*unstructured.Unstructured, len(targets))
	for i, target := range targets {
		copies[i] = target.DeepCopy()
	}
	managed, err := c.managed(copies)
	if err != nil {
		return "", "", nil, err
	}
	pairs := sync.Reconcile(copies, managed, c.in.Namespace, c)
	differences, err := c.differences(pairs)
	if err != nil {
		// The controller syncs nothing that it cannot compare.
		return common.OperationError, incomparable + err.Error(), results, nil
	}
	if c.in.has(respectIgnores) {
		for i, live := range pairs.Live {
			if pairs.Target[i], err = c.respected(live, pairs.Target[i]); err != nil {
				return common.OperationError, "Failed to normalize target resources: " + err.Error(), results, nil
			}
		}
	}
	options := c.options(differences)
	options = append(options, sync.WithInitialState(phase, message, results, began))
	run, cleanup, err := sync.NewSyncContext("main", pairs, c.config, c.config, c.kubectl, c.in.Namespace, options...)
	if err != nil {
		return "", "", nil, err
	}
	defer cleanup()
	run.Sync()
	phase, message, results = run.GetState()
	return phase, message, results, nil
}

// options returns what the controller says of an operation with the sync options of the Application.
func (c *cluster) options(differences *diff.DiffResultList) []sync.SyncOpt {
	deletion := metav1.DeletePropagationForeground
	if c.in.has(background) {
		deletion = metav1.DeletePropagationBackground
	}
	options := []sync.SyncOpt{
		sync.WithLogr(logr.Discard()),
		sync.WithHealthOverride(healthy{}),
		sync.WithOperationSettings(false, c.in.Prune, c.in.has(common.SyncOptionForce), false),
		sync.WithResourcesFilter(isSelfReferenced),
		sync.WithManifestValidation(!c.in.has(common.SyncOptionsDisableValidation)),
		sync.WithPruneLast(c.in.has(common.SyncOptionPruneLast)),
		sync.WithPrunePropagationPolicy(&deletion),
		sync.WithReplace(c.in.has(common.SyncOptionReplace)),
		sync.WithServerSideApply(c.in.has(common.SyncOptionServerSideApply)),
		sync.WithServerSideApplyManager(manager),
		sync.WithResourceModificationChecker(c.in.has(common.SyncOptionApplyOutOfSyncOnly), differences),
		sync.WithSkipDryRunOnMissingResource(c.in.has(common.SyncOptionSkipDryRunOnMissingResource)),
		sync.WithClientSideApplyMigration(!c.in.has(common.SyncOptionDisableClientSideApplyMigration), ""),
	}
	if c.in.Project != nil {
		options = append(options, sync.WithPermissionValidator(c.in.Project.permitsObject))
	}
	for _, option := range c.in.Options {
		if value, found := strings.CutPrefix(option, common.SyncOptionPrune+"="); found {
			options = append(options, sync.WithDefaultPruneOption(&value))
		}
	}
	if c.in.has(createNamespace) {
		options = append(options, sync.WithNamespaceModifier(func(managed, live *unstructured.Unstructured) (bool, error) {
			return managed != nil && live == nil, nil
		}))
	}
	return options
}

// differences returns what is out of sync, without what is ignored.
func (c *cluster) differences(pairs sync.ReconciliationResult) (*diff.DiffResultList, error) {
	options := []diff.Option{
		diff.WithLogr(logr.Discard()),
		diff.WithManager(manager),
		diff.WithNormalizer(c.ignores),
		diff.WithStructuredMergeDiff(c.in.has(common.SyncOptionServerSideApply)),
	}
	if c.parser == nil && (len(c.in.Ignored) > 0 || c.appliesServerSide(pairs)) {
		_, parser, err := c.kubectl.LoadOpenAPISchema(c.config)
		if err != nil {
			return nil, err
		}
		c.parser = parser
	}
	lives, targets := slices.Clone(pairs.Live), slices.Clone(pairs.Target)
	for i, live := range lives {
		if live == nil || targets[i] == nil {
			continue
		}
		var err error
		if lives[i], targets[i], err = c.withoutManaged(live, targets[i]); err != nil {
			return nil, err
		}
	}
	return diff.DiffArray(targets, lives, append(options, diff.WithGVKParser(c.parser))...)
}

func (c *cluster) appliesServerSide(pairs sync.ReconciliationResult) bool {
	return c.in.has(common.SyncOptionServerSideApply) || slices.ContainsFunc(pairs.Target, func(target *unstructured.Unstructured) bool {
		return target != nil && strings.Contains(target.GetAnnotations()[common.AnnotationSyncOptions], common.SyncOptionServerSideApply)
	})
}

type healthy struct{}

func (healthy) GetResourceHealth(object *unstructured.Unstructured) (*health.HealthStatus, error) {
	if isSuspended(object) {
		return &health.HealthStatus{Status: health.HealthStatusSuspended}, nil
	}
	return &health.HealthStatus{Status: health.HealthStatusHealthy}, nil
}

// isSuspended tells whether controllers leave an object as it is. The library finds paused Deployments by this field,
// and suspended Jobs by the condition that their controller sets.
func isSuspended(object *unstructured.Unstructured) bool {
	fields := map[string]string{"Deployment.apps": "paused", "Job.batch": "suspend"}
	field, found := fields[object.GroupVersionKind().GroupKind().String()]
	value, _, _ := unstructured.NestedBool(object.Object, "spec", field)
	return found && value
}

// isSelfReferenced tells whether the tracking of an object without a target is its own, and no copy of another's.
func isSelfReferenced(_ kube.ResourceKey, target, live *unstructured.Unstructured) bool {
	if live == nil || target != nil {
		return true
	}
	id, ok := trackingOf(live)
	isPlace := live.GetNamespace() == "" || live.GetNamespace() == id.namespace
	kind := live.GroupVersionKind()
	return !ok || (isPlace && live.GetName() == id.name && kind.Group == id.group && kind.Kind == id.kind)
}
