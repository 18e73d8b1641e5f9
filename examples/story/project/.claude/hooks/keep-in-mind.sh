#!/bin/sh
# PreCompact: what it prints is asked of the summary.
echo 'Keep which files were changed, and what was not really done.'
