// What makes every page better: the search box finds as one types.
