# Prints what Ruby's own parser finds in the files named on standard input: file TAB word name line TAB …
require 'ripper'

def first_line(node)
  return nil unless node.is_a?(Array)
  return node[2][0] if node[0].to_s.start_with?('@')
  node.each { |one| line = first_line(one) and return line }
  nil
end

def last_name(node)
  node[0] == :const_path_ref ? node[2][1] : node[1][1]
end

def walk(node, out)
  return unless node.is_a?(Array)
  case node[0]
  when :def then out << "def #{node[1][1]} #{node[1][2][0]}"
  when :defs then out << "def #{node[3][1]} #{node[3][2][0]}"
  when :class
    out << "class #{last_name(node[1])} #{first_line(node[1])}"
    walk(node[3], out)
  when :module
    out << "module #{last_name(node[1])} #{first_line(node[1])}"
    walk(node[2], out)
  else node.each { |one| walk(one, out) }
  end
end

STDIN.each_line(chomp: true) do |file|
  out = []
  tree = Ripper.sexp(File.read(file, encoding: 'UTF-8'))
  walk(tree, out)
  puts [file, *(tree ? out : ['unreadable'])].join("\t")
end
