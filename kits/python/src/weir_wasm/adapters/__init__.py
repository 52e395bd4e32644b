"""Adapters for agent frameworks, each in a module of its own that imports its framework.

All take a `Weir` and a session: its name, or a function of the framework's own context that gives it. A large
result reaches the model as an excerpt, and a tool is added with which the model reads on. Small results and
errors of the framework are left alone. An adapter never breaks a call: when Weir fails, the result passes as it
came, and the log says why.
"""
