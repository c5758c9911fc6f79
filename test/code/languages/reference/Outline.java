import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.nio.file.*;
import java.util.*;
import java.util.zip.*;
import javax.tools.*;

/** Unpacks every nth source of a src.zip into a folder and prints what javac's parser finds: file TAB kind name endLine TAB … */
public class Outline {
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[1]);
    List<Path> files = unpack(args[0], folder, Integer.parseInt(args[2]));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
    for (Path file : files) {
      StringBuilder line = new StringBuilder(file.toString());
      JavacTask task = (JavacTask) compiler.getTask(null, manager, d -> {}, List.of("-proc:none"), null, manager.getJavaFileObjects(file));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse())
        for (Tree type : unit.getTypeDecls()) new Walk(unit, positions, line).type(type);
      System.out.println(line);
    }
  }

  static List<Path> unpack(String zip, Path folder, int every) throws Exception {
    List<Path> files = new ArrayList<>();
    try (ZipFile archive = new ZipFile(zip)) {
      List<? extends ZipEntry> entries = archive.stream().filter(e -> e.getName().endsWith(".java") && !e.getName().endsWith("-info.java"))
          .sorted(Comparator.comparing(ZipEntry::getName)).toList();
      for (int i = 0; i < entries.size(); i += every) {
        Path file = folder.resolve(i + "-" + Path.of(entries.get(i).getName()).getFileName());
        Files.copy(archive.getInputStream(entries.get(i)), file);
        files.add(file);
      }
    }
    return files;
  }

  record Walk(CompilationUnitTree unit, SourcePositions positions, StringBuilder line) {
    void put(String kind, CharSequence name, Tree at) {
      long end = unit.getLineMap().getLineNumber(Math.max(0, positions.getEndPosition(unit, at) - 1));
      line.append('\t').append(kind).append(' ').append(name);
      if (!kind.equals("VAR")) line.append(' ').append(end);
    }

    void type(Tree tree) {
      if (!(tree instanceof ClassTree type)) return;
      put(type.getKind().name(), type.getSimpleName(), type);
      members(type);
    }

    void members(ClassTree type) {
      for (Tree member : type.getMembers()) {
        if (member instanceof MethodTree method && positions.getEndPosition(unit, method) >= 0) {
          boolean constructor = method.getName().contentEquals("<init>");
          if (!constructor) put("METHOD", method.getName(), method);
          else if (!type.getSimpleName().isEmpty()) put("CONSTRUCTOR", type.getSimpleName(), method);
        } else if (member instanceof VariableTree variable) {
          put("VAR", variable.getName(), variable);
          boolean constant = type.getKind() == Tree.Kind.ENUM && variable.toString().startsWith("/*public static final*/");
          if (constant && variable.getInitializer() instanceof NewClassTree made && made.getClassBody() != null) members(made.getClassBody());
        } else type(member);
      }
    }
  }
}
