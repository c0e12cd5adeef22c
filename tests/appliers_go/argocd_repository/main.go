// Command argocd_repository answers what the repository server of Argo CD 3 renders of Applications, one JSON document
// a line. Under the name "kustomize" it is the kustomize that the library starts.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
	"github.com/argoproj/argo-cd/v3/util/app/path"
	"github.com/argoproj/argo-cd/v3/util/argo"
	"github.com/argoproj/argo-cd/v3/util/git"
	utilio "github.com/argoproj/argo-cd/v3/util/io"
	log "github.com/sirupsen/logrus"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/kustomize/kustomize/v5/commands"
)

const kustomize = "kustomize"

type question struct {
	Application v1alpha1.Application `json:"application"`
	// Folders has the folder of each repository by its URL, and that of each chart by its URL, "#" and its name.
	Folders     map[string]string `json:"folders"`
	KubeVersion string            `json:"kubeVersion"`
	APIVersions []string          `json:"apiVersions"`
	// BuildOptions is kustomize.buildOptions of the installation.
	BuildOptions string `json:"buildOptions"`
}

type answer struct {
	Sources []made `json:"sources"`
	Error   string `json:"error"`
}

// made is what one source renders.
type made struct {
	Type    string            `json:"type"`
	Error   string            `json:"error"`
	Objects []json.RawMessage `json:"objects"`
}

func main() {
	if filepath.Base(os.Args[0]) == kustomize {
		if commands.NewDefaultCommand().Execute() != nil {
			os.Exit(1)
		}
		return
	}
	log.SetOutput(io.Discard)
	folder, err := os.MkdirTemp("", "repositories")
	if err == nil {
		defer os.RemoveAll(folder)
		err = run(folder)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.RemoveAll(folder)
		os.Exit(1)
	}
}

// run answers the questions of standard input; folder is one for programs and copies.
func run(folder string) error {
	own, err := os.Executable()
	if err != nil {
		return err
	}
	if err := os.Symlink(own, filepath.Join(folder, kustomize)); err != nil {
		return err
	}
	os.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	reader := bufio.NewReader(os.Stdin)
	for {
		line, err := reader.ReadBytes('\n')
		if err != nil {
			return nil
		}
		var asked question
		if err := json.Unmarshal(line, &asked); err != nil {
			return err
		}
		text, err := json.Marshal(reply(asked, folder))
		if err != nil {
			return err
		}
		fmt.Println(string(text))
	}
}

func reply(asked question, folder string) answer {
	spec := asked.Application.Spec
	refs, err := argo.GetRefSources(context.Background(), spec.GetSources(), spec.Project, repositoryOf, nil)
	if err != nil {
		return answer{Error: err.Error()}
	}
	var found answer
	for _, source := range spec.GetSources() {
		copied, err := os.MkdirTemp(folder, "source")
		var one made
		if err == nil {
			one, err = render(asked, source, refs, copied)
			os.RemoveAll(copied)
		}
		if err != nil {
			one.Error = strings.ReplaceAll(err.Error(), copied, "")
		}
		found.Sources = append(found.Sources, one)
	}
	return found
}

func repositoryOf(_ context.Context, url, _ string) (*v1alpha1.Repository, error) {
	return &v1alpha1.Repository{Repo: url}, nil
}

// render returns what one source renders. The library writes into the folders of a source, so these are copies.
func render(asked question, source v1alpha1.ApplicationSource, refs v1alpha1.RefTargetRevisionMapping, copied string) (found made, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	spec := asked.Application.Spec
	if spec.HasMultipleSources() && source.Path == "" && source.Chart == "" {
		return found, nil
	}
	root, appPath, err := roots(asked, source, copied)
	if err != nil {
		return found, err
	}
	paths := utilio.NewRandomizedTempPaths(copied)
	if spec.HasMultipleSources() {
		if err := checkReferences(source, refs); err != nil {
			return found, err
		}
	}
	for _, ref := range refs {
		url := git.NormalizeGitURL(ref.Repo.Repo)
		folder, exists := asked.Folders[ref.Repo.Repo]
		if source.Chart == "" && url == git.NormalizeGitURL(source.RepoURL) {
			// The server has one checkout of a repository, so that a file in it counts once.
			folder = root
		}
		if exists && ref.Chart == "" {
			paths.Add(url, folder)
		}
	}
	request := &apiclient.ManifestRequest{
		Repo:               &v1alpha1.Repository{Repo: source.RepoURL},
		AppName:            asked.Application.Name,
		Namespace:          spec.Destination.Namespace,
		ProjectName:        spec.GetProject(),
		ApplicationSource:  &source,
		KubeVersion:        asked.KubeVersion,
		ApiVersions:        asked.APIVersions,
		HasMultipleSources: spec.HasMultipleSources(),
		RefSources:         refs,
		KustomizeOptions:   &v1alpha1.KustomizeOptions{BuildOptions: asked.BuildOptions},
	}
	revision := "0123456789abcdef0123456789abcdef01234567"
	response, err := repository.GenerateManifests(context.Background(), appPath, root, revision, request, false,
		git.NoopCredsStore{}, resource.MustParse("0"), paths)
	if err != nil {
		return found, err
	}
	found.Type = response.SourceType
	for _, text := range response.Manifests {
		found.Objects = append(found.Objects, json.RawMessage(text))
	}
	return found, nil
}

// roots returns copies of the folder of a source: the repository or the chart, and the path in it.
func roots(asked question, source v1alpha1.ApplicationSource, copied string) (string, string, error) {
	key := source.RepoURL
	if source.Chart != "" {
		key += "#" + source.Chart
	}
	folder, exists := asked.Folders[key]
	if !exists {
		return "", "", fmt.Errorf("no folder of %s", key)
	}
	root := filepath.Join(copied, "root")
	if err := os.CopyFS(root, os.DirFS(folder)); err != nil {
		return "", "", err
	}
	if source.Chart != "" {
		return root, root, nil
	}
	appPath, err := path.Path(root, source.Path)
	return root, appPath, err
}

// checkReferences mirrors what the server checks before it checks the referenced repositories out.
func checkReferences(source v1alpha1.ApplicationSource, refs v1alpha1.RefTargetRevisionMapping) error {
	if source.Helm == nil {
		return nil
	}
	names := append([]string{}, source.Helm.ValueFiles...)
	for _, parameter := range source.Helm.FileParameters {
		names = append(names, parameter.Path)
	}
	for _, name := range names {
		if !strings.HasPrefix(name, "$") {
			continue
		}
		reference := strings.Split(name, "/")[0]
		target, exists := refs[reference]
		if !exists {
			return fmt.Errorf("source referenced %q, which is not one of the available sources", reference)
		}
		if target.Chart != "" {
			return errors.New("charts are not supported for 'ref' sources")
		}
	}
	return nil
}
