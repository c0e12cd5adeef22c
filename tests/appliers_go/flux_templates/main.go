// Command flux_templates renders templates of ResourceSets as the Flux operator (0.53) does: with text/template, slim-sprig and slug.
// It reads and writes one JSON document a line.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"text/template"

	sprig "github.com/go-task/slim-sprig/v3"
	"github.com/gosimple/slug"
	decoder "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// A question is a template with the inputs that it refers to.
type question struct {
	Template string
	Inputs   json.RawMessage
}

// An answer has the text of the template, or why there is none.
type answer struct {
	Text  string
	Error string
}

func main() {
	slug.MaxLength = 63
	slug.EnableSmartTruncate = true
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		text, err := rendered(asked)
		given := answer{Text: text}
		if err != nil {
			given = answer{Error: err.Error()}
		}
		if err := answers.Encode(given); err != nil {
			panic(err)
		}
	}
}

func rendered(asked question) (string, error) {
	var inputs map[string]any
	if err := decoder.Unmarshal(asked.Inputs, &inputs); err != nil {
		return "", err
	}
	parsed, err := template.New("").Delims("<<", ">>").Option("missingkey=error").
		Funcs(sprig.HermeticTxtFuncMap()).
		Funcs(template.FuncMap{"inputs": func() any { return inputs }, "slugify": slug.Make, "toYaml": toYaml}).
		Parse(asked.Template)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	err = parsed.Execute(&text, nil)
	return text.String(), err
}

func toYaml(value any) (string, error) {
	text, err := yaml.Marshal(value)
	return string(text), err
}
