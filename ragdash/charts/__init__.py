"""Tables in, Plotly figure out. A chart answers a question, its title is the answer, and it brings its table."""
