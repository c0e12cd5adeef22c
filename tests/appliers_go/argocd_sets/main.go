// Command argocd_sets answers which Applications the ApplicationSet controller of Argo CD 3 generates, one JSON document
// a line.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/argoproj/argo-cd/v3/applicationset/controllers/template"
	"github.com/argoproj/argo-cd/v3/applicationset/generators"
	"github.com/argoproj/argo-cd/v3/applicationset/utils"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	log "github.com/sirupsen/logrus"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const namespace = "argocd"

type question struct {
	Set v1alpha1.ApplicationSet `json:"set"`
	// Folder is a work tree of git with the files of every repository.
	Folder string `json:"folder"`
	// Secrets are those of the clusters.
	Secrets []corev1.Secret `json:"secrets"`
}

type answer struct {
	Applications []v1alpha1.Application `json:"applications"`
	Error        string                 `json:"error"`
}

// workTree has the files that git generators read.
type workTree struct{ folder string }

func (tree workTree) GetFiles(
	_ context.Context, _, _, _, pattern string, _ bool, _ *v1alpha1.SourceIntegrity,
) (map[string][]byte, error) {
	listed, err := exec.Command("git", "-C", tree.folder, "ls-files", "--full-name", "-z", "--", pattern).Output()
	if err != nil {
		return nil, err
	}
	found := map[string][]byte{}
	for _, name := range strings.FieldsFunc(string(listed), func(one rune) bool { return one == 0 }) {
		if found[name], err = os.ReadFile(filepath.Join(tree.folder, name)); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (tree workTree) GetDirectories(
	_ context.Context, _, _, _ string, _ bool, _ *v1alpha1.SourceIntegrity,
) ([]string, error) {
	var found []string
	err := filepath.WalkDir(tree.folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || !entry.IsDir() || path == tree.folder:
			return err
		case strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir
		}
		name, err := filepath.Rel(tree.folder, path)
		found = append(found, name)
		return err
	})
	return found, err
}

// cluster has the Secrets of clusters; every project exists.
type cluster struct {
	client.Client
	secrets []corev1.Secret
}

func (own cluster) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	return nil
}

func (own cluster) List(_ context.Context, list client.ObjectList, given ...client.ListOption) error {
	var options client.ListOptions
	options.ApplyOptions(given)
	secrets := list.(*corev1.SecretList)
	for _, one := range own.secrets {
		if options.LabelSelector == nil || options.LabelSelector.Matches(labels.Set(one.Labels)) {
			secrets.Items = append(secrets.Items, *one.DeepCopy())
		}
	}
	return nil
}

func generatorsOf(own client.Client, tree workTree) map[string]generators.Generator {
	level := func(inner map[string]generators.Generator) map[string]generators.Generator {
		found := map[string]generators.Generator{
			"List":     generators.NewListGenerator(),
			"Clusters": generators.NewClusterGenerator(own, namespace),
			"Git":      generators.NewGitGenerator(tree, namespace),
		}
		if inner != nil {
			found["Matrix"] = generators.NewMatrixGenerator(inner)
			found["Merge"] = generators.NewMergeGenerator(inner)
		}
		return found
	}
	return level(level(level(nil)))
}

func reply(given question) (found answer) {
	defer func() {
		if fault := recover(); fault != nil {
			found = answer{Error: fmt.Sprintf("panic: %v", fault)}
		}
	}()
	own := cluster{secrets: given.Secrets}
	made, _, err := template.GenerateApplications(
		log.NewEntry(log.StandardLogger()), given.Set, generatorsOf(own, workTree{given.Folder}), &utils.Render{}, own)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Applications: made}
}

func main() {
	log.SetOutput(io.Discard)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var given question
		found := answer{}
		if err := json.Unmarshal(lines.Bytes(), &given); err != nil {
			found.Error = "not a question: " + err.Error()
		} else {
			found = reply(given)
		}
		if err := out.Encode(found); err != nil {
			log.Fatal(err)
		}
	}
}
