package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gobwas/glob"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const (
	projectName  = "team"
	source       = "https://example.com/app"
	destination  = "https://kubernetes.default.svc"
	destinations = "in-cluster"
)

// A project is what spec of an AppProject holds. The controller asks it before a sync, and for each object; what it
// answers is in app_project_types.go of Argo CD, which is no part of the library.
type project struct {
	SourceRepos                []string      `json:"sourceRepos"`
	Destinations               []place       `json:"destinations"`
	ClusterResourceWhitelist   []restriction `json:"clusterResourceWhitelist"`
	ClusterResourceBlacklist   []restriction `json:"clusterResourceBlacklist"`
	NamespaceResourceWhitelist []restriction `json:"namespaceResourceWhitelist"`
	NamespaceResourceBlacklist []restriction `json:"namespaceResourceBlacklist"`
}

type place struct {
	Server    string `json:"server"`
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
}

type restriction struct {
	Group string `json:"group"`
	Kind  string `json:"kind"`
	Name  string `json:"name"`
}

// permitsApplication fails if the project does not permit the source or the destination of the Application.
func (p *project) permitsApplication(namespace string) error {
	if !p.permits(len(p.SourceRepos), func(i int) (bool, bool) {
		return like(p.SourceRepos[i], source, '/'), isDenial(p.SourceRepos[i])
	}) {
		return fmt.Errorf("application repo %s is not permitted in project '%s'", source, projectName)
	}
	if !p.permitsNamespace(namespace) {
		return fmt.Errorf("application destination server '%s' and namespace '%s' do not match any of the allowed destinations in project '%s'", destination, namespace, projectName)
	}
	return nil
}

// permitsObject is asked by the library for each object.
func (p *project) permitsObject(object *unstructured.Unstructured, resource *metav1.APIResource) error {
	kind := object.GroupVersionKind()
	isPermitted := listed(p.ClusterResourceWhitelist, object) && !listed(p.ClusterResourceBlacklist, object)
	if resource.Namespaced {
		isPermitted = (p.NamespaceResourceWhitelist == nil || listed(p.NamespaceResourceWhitelist, object)) && !listed(p.NamespaceResourceBlacklist, object)
	}
	if !isPermitted {
		return fmt.Errorf("resource %s:%s is not permitted in project %s", kind.Group, kind.Kind, projectName)
	}
	if resource.Namespaced && !p.permitsNamespace(object.GetNamespace()) {
		return fmt.Errorf("namespace %v is not permitted in project '%s'", object.GetNamespace(), projectName)
	}
	return nil
}

func (p *project) permitsNamespace(namespace string) bool {
	return p.permits(len(p.Destinations), func(i int) (bool, bool) {
		one := p.Destinations[i]
		isNamespace, isServer, isName := like(one.Namespace, namespace), like(one.Server, destination), like(one.Name, destinations)
		isOther := (!isServer && isDenial(one.Server)) || (!isName && isDenial(one.Name))
		return isNamespace && (isServer || isName), (isNamespace && isOther) || (isServer && !isNamespace && isDenial(one.Namespace))
	})
}

// permits tells whether one of some entries matches, and none that does not match denies.
func (p *project) permits(count int, entry func(int) (matches, denies bool)) bool {
	found := false
	for i := range count {
		matches, denies := entry(i)
		if !matches && denies {
			return false
		}
		found = found || matches
	}
	return found
}

func listed(restrictions []restriction, object *unstructured.Unstructured) bool {
	kind := object.GroupVersionKind()
	for _, one := range restrictions {
		isKind, _ := filepath.Match(one.Kind, kind.Kind)
		isGroup, _ := filepath.Match(one.Group, kind.Group)
		isName, _ := filepath.Match(one.Name, object.GetName())
		if isKind && isGroup && (one.Name == "" || isName) {
			return true
		}
	}
	return false
}

func isDenial(pattern string) bool {
	return strings.HasPrefix(pattern, "!")
}

func like(pattern, text string, separators ...rune) bool {
	if isDenial(pattern) {
		return !like(pattern[1:], text, separators...)
	}
	compiled, err := glob.Compile(pattern, separators...)
	return err == nil && (pattern == "*" || compiled.Match(text))
}
