// kpt's own `fn` command, alone: the whole kpt 1.0.0-beta.61 needs a module for `kpt alpha
// rollouts` that is not served as one.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/kptdev/kpt/commands/fn"
	"github.com/kptdev/kpt/pkg/printer"
	"github.com/spf13/cobra"
)

func main() {
	kpt := &cobra.Command{Use: "kpt", SilenceUsage: true, SilenceErrors: true}
	ctx := printer.WithContext(context.Background(), printer.New(os.Stdout, os.Stderr))
	kpt.AddCommand(fn.GetCommand(ctx, "kpt"))
	if err := kpt.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
